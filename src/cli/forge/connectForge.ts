import packageFile from "../../../package.json" with { type: "json" };
import { type Commented, dialectFor, type Forge, openForge, type Pipeline } from "../../entry/forge.js";
import { checkServer, proxyProblem } from "../../entry/settings.js";
import type { Checked } from "../../entry/values.js";
import type { World } from "../world/world.js";

/** A forge, and how the connection to it ends. */
export interface ForgeConnection {
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
  const problem = "problem" in checked ? checked.problem : proxyProblem(checked.server, env);
  if ("problem" in checked || problem !== null) {
    const diagnostic = {
      code: "forge/address",
      severity: "error",
      message: `the forge's address cannot be used: ${problem}`,
      hint: "The pipeline names it, or REMIT_FORGE_URL.",
    } as const;
    return { value: null, diagnostics: [diagnostic] };
  }
  const { token } = pipeline;
  const { makeClient } = await import("../../entry/session.js");
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
    env,
    ...(verbose && { log: (line: string) => stderr.write(`${line}\n`) }),
  });
  const forge = openForge(client.send, pipeline, on);
  return { value: { forge, close: () => client.close() }, diagnostics: [] };
}
