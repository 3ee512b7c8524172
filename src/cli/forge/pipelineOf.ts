import type { Pipeline } from "../../forge/pipeline.js";
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { say } from "../../words/say.js";
import { readNamedFile } from "../world/namedFile.js";
import type { World } from "../world/world.js";
import { eventFileOf, pipelineFrom } from "./pipelineFrom.js";

/** The pipeline that this run is a part of; null, with what to do, outside of one. */
export async function pipelineOf(world: World): Promise<Checked<Pipeline | null>> {
  const file = eventFileOf(world.env);
  const event = file === null ? null : (await readNamedFile(world, file)).text;
  const found = pipelineFrom(world.env, event);
  return found.value !== null || found.diagnostics.length > 0 ? found : { value: null, diagnostics: [none] };
}

const none: Diagnostic = say("forge/none");
