import { createWriteStream, openSync } from "node:fs";
import { resolve } from "node:path";
import { give, THIS_MACHINE } from "../../cli/credentials/give.js";
import { codeOf } from "../../cli/exitCode.js";
import { faultsFrom, seedFrom, Unusable } from "../../cli/open/sandboxInput.js";
import { endWith, printDiagnostics } from "../../cli/print/diagnostics.js";
import type { Context } from "../../cli/run/context.js";
import { reasonOf } from "../../cli/world/reason.js";
import type { World } from "../../cli/world/world.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isLoopback } from "../../model/loopback.js";
import { DEFAULT_CLIENT, DEFAULT_TOKEN } from "../../sandbox/auth/client.js";
import { type Sandbox, startSandbox } from "../../sandbox/http/server.js";
import type { Entry } from "../../sandbox/log.js";
import { BadFile } from "../../sandbox/tenant/document.js";
import { generateTenant } from "../../sandbox/tenant/generate.js";
import type { Seed } from "../../sandbox/tenant/seed/seed.js";
import { say } from "../../words/say.js";
import type { SandboxFlags } from "./usage.js";

/** The variable for the sandbox's own token: a flag would be visible in the list of processes. */
const TOKEN = "REMIT_SANDBOX_TOKEN";

/** How many requests the log over HTTP contains. */
const KEPT = 100_000;

/** Serves the sandbox until a signal comes. */
export default async function sandbox(this: Context, flags: SandboxFlags): Promise<number> {
  const { world } = this;
  try {
    await serve(flags, world);
    return codeOf("done");
  } catch (error) {
    const diagnostics = findingsOf(error, flags);
    if (diagnostics === undefined) throw error;
    const isInput = error instanceof BadFile || error instanceof Unusable;
    return endWith(world, isInput ? "invalid settings" : "cannot listen", diagnostics);
  }
}

async function serve(flags: SandboxFlags, world: World): Promise<void> {
  const token = give(world.env, TOKEN, THIS_MACHINE).value?.reveal();
  if (!isLoopback(flags.host) && token === undefined) {
    throw new Unusable(`--host ${flags.host} lets other machines in: set a token in ${TOKEN}`);
  }
  const seed = seedOf(flags, world);
  const log = openLog(flags, world);
  const running = await startSandbox({
    interface: flags.interface,
    tenant: seed.tenant,
    ...(flags.data === undefined ? {} : { dataFile: resolve(world.cwd, flags.data) }),
    faults: faultsFrom(flags.faults ?? null, world.cwd),
    auth: {
      clients: seed.clients,
      lifetime: flags.tokenLifetime,
      ...(token === undefined ? {} : { token }),
    },
    host: flags.host,
    port: flags.port,
    keep: KEPT,
    log: log.write,
    report: (error) => reportTo(world, error),
  });
  const signalled = new Promise<void>((stop) => {
    const off = world.onSignal(() => {
      off();
      stop();
    });
  });
  world.stdout.write(`${running.url}\n`);
  world.stderr.write(welcome(running, flags, seed, token));
  await signalled;
  await running.close();
  await log.close();
}

function findingsOf(error: unknown, { host, port }: SandboxFlags): readonly Diagnostic[] | undefined {
  if (error instanceof BadFile) return error.diagnostics;
  if (error instanceof Unusable) return [say("sandbox/flag", { message: error.message })];
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return [say("sandbox/address#taken", { host, port })];
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EACCES")
    return [say("sandbox/address#refused", { host, port })];
  return undefined;
}

/** Reports a file that cannot be written by its name, and a bug in the sandbox with its place. */
function reportTo(world: World, error: unknown): void {
  if (error instanceof BadFile) printDiagnostics(world, error.diagnostics);
  else world.stderr.write(`the sandbox has a bug: ${(error as Error).stack}\n`);
}

function seedOf({ seed, generate }: SandboxFlags, world: World): Seed {
  if (seed !== undefined && generate !== undefined)
    throw new Unusable("--seed and --generate cannot both be given");
  if (generate !== undefined) return { tenant: generateTenant(generate), clients: [] };
  return seedFrom(seed ?? null, world.cwd);
}

function openLog({ log }: SandboxFlags, world: World) {
  if (log === undefined) return { write: () => undefined, close: async () => undefined };
  const stream = createWriteStream("", { fd: openToAppend(log, world) });
  stream.on("error", (error) => world.stderr.write(`${log} cannot be written: ${error.message}\n`));
  return {
    write: (entry: Entry) => void stream.write(`${JSON.stringify(entry)}\n`),
    close: () => new Promise<void>((done) => stream.end(done)),
  };
}

function openToAppend(log: string, world: World): number {
  try {
    return openSync(resolve(world.cwd, log), "a", 0o600);
  } catch (error) {
    throw new Unusable(`${log}: ${reasonOf(String((error as NodeJS.ErrnoException).code))}`);
  }
}

function welcome(
  { url, store }: Sandbox,
  flags: SandboxFlags,
  { clients }: Seed,
  token: string | undefined,
): string {
  const counts = [
    `${store.apps.all().length} apps`,
    `${store.entitlements.all().length} entitlements`,
    `${store.templates.all().length} templates`,
    `${store.automations.all().length} automations`,
  ];
  return `The sandbox serves the ${flags.interface} interface at ${url}
${counts.join(", ")}

Point remit, or any client of the service, at it:
  export REMIT_SERVER=${url}
${credentials(token, clients)}

What was asked and what came of it: ${url}/_sandbox/log
Stop it with Ctrl-C.
`;
}

function credentials(token: string | undefined, clients: Seed["clients"]): string {
  const own = token === undefined ? DEFAULT_TOKEN : `…  # the token in ${TOKEN}`;
  const byToken = `  export REMIT_TOKEN=${own}`;
  if (clients.length > 0)
    return `${byToken}\nor as a client of the seed: ${clients.map((client) => client.id).join(", ")}`;
  if (token !== undefined) return byToken;
  return `${byToken}
or by client credentials:
  export REMIT_CLIENT_ID=${DEFAULT_CLIENT.id}
  export REMIT_CLIENT_SECRET=${DEFAULT_CLIENT.secret}`;
}
