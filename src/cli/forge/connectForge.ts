import packageFile from "../../../package.json" with { type: "json" };
import type { Forge } from "../../forge/forge.js";
import { type Commented, dialectFor, openForge } from "../../forge/open.js";
import type { Pipeline } from "../../forge/pipeline.js";
import type { Checked } from "../../model/diagnostic.js";
import { tameLine } from "../../report/text/visible.js";
import { proxyProblem } from "../../tenant/client/proxy.js";
import { checkServer } from "../../tenant/client/server.js";
import { say } from "../../words/say.js";
import { proxiesFrom } from "../credentials/give.js";
import type { World } from "../world/world.js";

/** A forge, and how the connection to it ends. */
interface ForgeConnection {
  readonly forge: Forge;
  close(): void;
}

const [RETRIES, TIMEOUT] = [4, 30_000];

/** Connects to the forge of a pipeline; null, with the reason, where its address cannot be used. */
export async function connectForge(
  { clock, random, env, stderr }: World,
  pipeline: Pipeline,
  verbose: boolean,
  on: Commented = "pull request",
): Promise<Checked<ForgeConnection | null>> {
  const checked = checkServer(pipeline.api);
  const proxies = proxiesFrom(env);
  const problem = "problem" in checked ? checked.problem : proxyProblem(checked.server, proxies);
  if ("problem" in checked || problem !== null) {
    const diagnostic = say("forge/address", { problem: problem ?? "" });
    return { value: null, diagnostics: [diagnostic] };
  }
  const { token } = pipeline;
  const { makeClient } = await import("../../tenant/client/client.js");
  const client = makeClient({
    server: checked.server,
    credentials: token === null ? null : { as: "bearer", token: token.secret, from: ["REMIT_FORGE_TOKEN"] },
    dialect: dialectFor(pipeline),
    clock,
    random,
    width: 2,
    retries: RETRIES,
    requestTimeout: TIMEOUT,
    userAgent: `remit/${packageFile.version}`,
    proxies,
    ...(verbose && { log: (line: string) => stderr.write(`${tameLine(line)}\n`) }),
  });
  const forge = openForge(client.send, pipeline, on);
  return { value: { forge, close: () => client.close() }, diagnostics: [] };
}
