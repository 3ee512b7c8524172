import { readNamedFile } from "../../../cli/world/namedFile.js";
import type { World } from "../../../cli/world/world.js";
import type { Pipeline } from "../../../forge/pipeline.js";
import { silenceOf } from "../../../forge/pipeline.js";
import type { Diagnostic } from "../../../model/diagnostic.js";
import { attention } from "../../../report/forms/comment/comment.js";
import { readPlanReport } from "../../../report/plan/read.js";
import { statusText } from "../statusText.js";
import { placeOf } from "./files.js";
import { onForge } from "./onForge.js";
import { commitFault } from "./origin.js";

/**
 * Sets the status of an apply that had nothing left to do: the commit is applied, and is not looked at again. It writes no
 * comment, because nothing was changed. A run that is only stopped sets no status.
 */
export async function passIdle(
  world: World,
  pipeline: Pipeline,
  file: string,
  { reviewed, verbose }: { readonly reviewed?: string; readonly verbose: boolean },
): Promise<readonly Diagnostic[]> {
  const { text } = await readNamedFile(world, file);
  const report = text === null ? null : readPlanReport(text).value;
  const isPlain = report !== null && attention({ as: "plan", ...EMPTY, report }) === 0;
  if (reviewed === undefined || !isPlain || silenceOf(pipeline) !== null || pipeline.change.as !== "none")
    return [];
  const { commit } = report;
  const fault = await commitFault(world, pipeline, file, commit);
  if (fault !== null || commit === null) return fault === null ? [] : [fault];
  const { name } = placeOf({ world, file, given: null, pipeline }, report);
  const contents = { effect: reviewed, counts: "Nothing left to do.", isGood: true, url: pipeline.run };
  return onForge(world, pipeline, { verbose }, async (forge) => {
    await forge.setStatus(commit, statusText({ about: "apply", name, ...contents }));
    world.stderr.write(`Set the status of commit ${commit.slice(0, 12)}\n`);
    return [];
  });
}

const EMPTY = { name: "", linkBase: null, whole: "", unreviewed: null, uncounted: [] };
