import { resolve } from "node:path";
import { withForge } from "../../../cli/forge/connectForge.js";
import { addStepSummary } from "../../../cli/print/stepSummary.js";
import type { World } from "../../../cli/world/world.js";
import { tryToWrite } from "../../../cli/world/write.js";
import type { Forge } from "../../../forge/forge.js";
import type { Commented } from "../../../forge/open.js";
import type { Pipeline } from "../../../forge/pipeline.js";
import type { Diagnostic } from "../../../model/diagnostic.js";
import { readVariable } from "../../../model/variables.js";
import { tameLine } from "../../../report/text/visible.js";
import type { ApiError } from "../../../tenant/client/error.js";
import { say } from "../../../words/say.js";

/** The most bytes of a text that is not a comment. */
const LARGEST = 1_000_000;

/** Why nothing is posted. */
export const WHY = {
  fork: "the change comes from a fork, whose job may not write on the pull request",
  "no token": "the job has no token that may write on the pull request",
} as const;

/** What became of a comment, in words. */
export const SAID = {
  created: "Wrote the comment on",
  edited: "Edited the comment on",
  unchanged: "The comment is up to date on",
} as const;

/** Also writes the text to the file that `--out` names; gives the errors. */
export async function writeText(
  world: World,
  text: (maxBytes: number) => string,
  out: string | undefined,
): Promise<readonly Diagnostic[]> {
  if (out === undefined) return [];
  const path = resolve(world.cwd, out);
  return tryToWrite(world, { path, shown: out, text: text(LARGEST), access: "private when new" });
}

/** Writes the job's summary in place of a comment, or prints the text, and says why. */
export async function summarise(
  world: World,
  text: (maxBytes: number) => string,
  why: string,
): Promise<readonly Diagnostic[]> {
  const hasSummary = readVariable(world.env, "GITHUB_STEP_SUMMARY") !== undefined;
  if (hasSummary) await addStepSummary(world, async (maxBytes) => text(maxBytes));
  else world.stdout.write(text(LARGEST));
  const place = hasSummary ? "in the job's summary" : "on standard output";
  world.stderr.write(`${tameLine(`No comment: ${why}. The text is ${place}.`)}\n`);
  return [];
}

/** What a refusal of the forge means, and which permission is missing. */
export function refused(error: ApiError, { forge }: Pipeline, on: Commented): Diagnostic {
  const isPermission = error.status === 401 || error.status === 403 || error.status === 404;
  return say(isPermission ? "forge/refused#permission" : "forge/refused#again", {
    message: error.message,
    part: forge === "github" && on === "issue" ? ISSUES : PERMISSIONS[forge],
  });
}

const ISSUES = "Give the job `permissions: { issues: write }`.";
const PERMISSIONS = {
  github: "Give the job `permissions: { pull-requests: write, statuses: write }`.",
  gitea: "Give the job's token the right to write issues and code, or set REMIT_FORGE_TOKEN.",
  gitlab: "Set REMIT_FORGE_TOKEN to a project token with the scope `api`.",
} as const;

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
  const worked = await withForge(world, pipeline, verbose, work, on);
  if (worked.as === "done") return worked.value;
  if (worked.as === "unreachable") return [worked.diagnostic];
  if (text !== undefined) await summarise(world, text, "the forge refused it");
  return [refused(worked.error, pipeline, on)];
}
