import packageFile from "../../../package.json" with { type: "json" };
import type { Forge } from "../../forge/forge.js";
import { type Commented, dialectFor, openForge } from "../../forge/open.js";
import type { Pipeline } from "../../forge/pipeline.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { tameLine } from "../../report/text/visible.js";
import { ApiError } from "../../tenant/client/error.js";
import { proxyProblem } from "../../tenant/client/proxy.js";
import { checkServer } from "../../tenant/client/server.js";
import { say } from "../../words/say.js";
import { proxiesFrom } from "../credentials/give.js";
import type { World } from "../world/world.js";

/** What came of work with a forge; where it gave nothing, its address cannot be used, or it refused. */
type Worked<T> =
  | { readonly as: "done"; readonly value: T }
  | { readonly as: "unreachable"; readonly diagnostic: Diagnostic }
  | { readonly as: "refused"; readonly error: ApiError };

const [RETRIES, TIMEOUT] = [4, 30_000];

/** Works with the forge of a pipeline, and ends the connection. */
export async function withForge<T>(
  { clock, random, env, stderr }: World,
  pipeline: Pipeline,
  verbose: boolean,
  work: (forge: Forge) => Promise<T>,
  on: Commented = "pull request",
): Promise<Worked<T>> {
  const checked = checkServer(pipeline.api);
  const proxies = proxiesFrom(env);
  const problem = "problem" in checked ? checked.problem : proxyProblem(checked.server, proxies);
  if ("problem" in checked || problem !== null)
    return { as: "unreachable", diagnostic: say("forge/address", { problem: problem ?? "" }) };
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
  try {
    return { as: "done", value: await work(openForge(client.send, pipeline, on)) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { as: "refused", error };
  } finally {
    client.close();
  }
}
