import { appendFile, stat } from "node:fs/promises";
import { readVariable } from "../../model/variables.js";
import { reasonOf } from "../world/reason.js";
import type { World } from "../world/world.js";

// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands: a summary of more than 1 MiB is
// not shown at all.
const MOST = 1024 * 1024;
/** So little room is of no use. */
const LEAST = 1024;

/**
 * Adds a result in Markdown to the summary of a job of GitHub Actions, where there is one. It is only a copy: without
 * it, the run goes on with a warning.
 */
export async function addStepSummary(
  { env, stderr }: World,
  markdown: (maxBytes: number) => Promise<string>,
): Promise<void> {
  const file = readVariable(env, "GITHUB_STEP_SUMMARY");
  if (file === undefined) return;
  try {
    const taken = (await stat(file).catch(() => null))?.size ?? 0;
    const room = MOST - taken - 1;
    if (room >= LEAST) await appendFile(file, `${await markdown(room)}\n`);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    stderr.write(`The summary of the job was not written: ${reasonOf(String(error.code))}\n`);
  }
}
