import { connectForge } from "../../../cli/forge/connectForge.js";
import type { World } from "../../../cli/world/world.js";
import type { Forge } from "../../../forge/forge.js";
import type { Commented } from "../../../forge/open.js";
import type { Pipeline } from "../../../forge/pipeline.js";
import type { Diagnostic } from "../../../model/diagnostic.js";
import { ApiError } from "../../../tenant/client/error.js";
import { refused, summarise } from "./endings.js";

interface OnForge {
  readonly verbose: boolean;
  readonly on?: Commented;
  /** What the job's summary has where the forge refuses; without it, nothing is written there. */
  readonly text?: (maxBytes: number) => string;
}

/** Works with the forge of a pipeline; also gives why it cannot be reached, or what it refused. */
export async function onForge(
  world: World,
  pipeline: Pipeline,
  { verbose, on = "pull request", text }: OnForge,
  work: (forge: Forge) => Promise<readonly Diagnostic[]>,
): Promise<readonly Diagnostic[]> {
  const connected = await connectForge(world, pipeline, verbose, on);
  if (connected.value === null) return connected.diagnostics;
  const { forge, close } = connected.value;
  try {
    return await work(forge);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (text !== undefined) await summarise(world, text, "the forge refused it");
    return [refused(error, pipeline, on)];
  } finally {
    close();
  }
}
