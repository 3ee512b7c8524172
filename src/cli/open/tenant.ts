import packageFile from "../../../package.json" with { type: "json" };
import { type Checked, type Diagnostic, hasErrors, refuse } from "../../model/diagnostic.js";
import { Secret } from "../../model/secret.js";
import { isSetVariable, variablesOf } from "../../model/variables.js";
import type { Credentials } from "../../tenant/client/auth/credentials.js";
import type { Client } from "../../tenant/client/client.js";
import { proxyProblem } from "../../tenant/client/proxy.js";
import { checkServer } from "../../tenant/client/server.js";
import { say } from "../../words/say.js";
import { proxiesFrom, UNCONFIRMED } from "../credentials/give.js";
import { credentialsFrom } from "../credentials/service.js";
import type { Project } from "../settings/project.js";
import { boundsOf } from "../settings/rows/limits.js";
import { namerOf } from "../settings/table.js";
import type { World } from "../world/world.js";
import { isConfirmed } from "./confirmedServers.js";
import type { RunTelemetry } from "./telemetry.js";

/** How a run reaches the tenant. */
export interface Reached {
  /** Its name in plans and in the state. */
  readonly name: string;
  readonly client: Client;
  close(): Promise<void>;
}

/** What hears the calls of a run; null for nothing. */
interface CallListeners {
  readonly log: ((line: string) => void) | null;
  readonly watch: RunTelemetry["watch"] | null;
}

/** Connects to the tenant that the settings name; `sandbox` runs the embedded service in this process. */
export async function connect(
  world: World,
  project: Project,
  heard: CallListeners,
): Promise<Checked<Reached | null>> {
  const { server } = project.settings;
  if (server.value === null)
    return refuse(
      isServerProposed(project) ? say("config/no-server#proposed") : say("config/no-server#tenant"),
    );
  if (server.value === "sandbox") return connectSandbox(world, project, heard);
  const checked = checkServer(server.value);
  if ("problem" in checked)
    return refuse(say("config/server#connect", { problem: checked.problem, from: server.from }));
  const problem = proxyProblem(checked.server, proxiesFrom(world.env));
  if (problem !== null) return refuse(say("config/proxy", { problem }));
  const credentials = await chooseCredentials(world, project, checked.server);
  if (credentials.value === null || hasErrors(credentials.diagnostics))
    return { value: null, diagnostics: credentials.diagnostics };
  const client = await clientFor(world, project, checked.server, credentials.value, heard);
  return {
    value: { name: checked.server, client, close: async () => client.close() },
    diagnostics: credentials.diagnostics,
  };
}

/** The credentials for a server. Where only the working tree names it, a terminal is asked once. */
async function chooseCredentials(world: World, project: Project, server: string) {
  const { settings, env } = project;
  const namedBy = namerOf(settings.server);
  const first = credentialsFrom(env, server, namedBy);
  const named = { ...first, diagnostics: first.diagnostics.map((one) => withOwnNames(one, world, project)) };
  if (!first.diagnostics.some(({ code }) => code === UNCONFIRMED)) return named;
  return (await isConfirmed(world, project, server)) ? credentialsFrom(env, server) : named;
}

/** A fault of credentials, with how the variables are called that only this context reads. */
function withOwnNames(
  fault: Diagnostic,
  { env }: Pick<World, "env">,
  { contexts: { current } }: Project,
): Diagnostic {
  if (current === null || fault.hint === undefined) return fault;
  const meant = variablesOf(current).filter(({ name }) => isSetVariable(env, name));
  const message = meant.reduce((text, { name, as }) => text.replaceAll(as, name), fault.message);
  if (message !== fault.message) return { ...fault, message };
  const [own] = variablesOf(current).map(({ name }) => name.slice(0, name.lastIndexOf("_") + 1));
  return {
    ...fault,
    hint: `${fault.hint} With ${own} in the place of REMIT_, they are of this context alone.`,
  };
}

async function connectSandbox(
  world: World,
  project: Project,
  heard: CallListeners,
): Promise<Checked<Reached | null>> {
  const { startEmbedded } = await import("./embedded.js");
  const started = await startEmbedded(project, world.clock);
  if (started.value === null) return { value: null, diagnostics: started.diagnostics };
  const sandbox = started.value;
  const credentials: Credentials = { as: "bearer", token: new Secret(sandbox.token), from: ["the sandbox"] };
  const client = await clientFor(world, project, sandbox.url, credentials, heard);
  return {
    value: {
      name: "sandbox",
      client,
      close: async () => {
        client.close();
        await sandbox.close();
      },
    },
    diagnostics: started.diagnostics,
  };
}

async function clientFor(
  { clock, random, env }: World,
  { settings }: Project,
  server: string,
  credentials: Credentials,
  heard: CallListeners,
): Promise<Client> {
  const { log, watch } = heard;
  // The engine is loaded only for a command that calls the service.
  const { makeClient } = await import("../../tenant/client/client.js");
  return makeClient({
    server,
    credentials,
    clock,
    random,
    width: settings.concurrency.value,
    rate: settings.rate.value,
    retries: settings.retries.value,
    requestTimeout: settings.requestTimeout.value,
    bounds: boundsOf(settings.reads.value),
    userAgent: `remit/${packageFile.version}`,
    proxies: proxiesFrom(env),
    ...(log !== null && { log }),
    ...(watch !== null && { watch }),
  });
}

function isServerProposed({ trust: { differences } }: Project): boolean {
  return differences.some(({ setting }) => setting === "server");
}
