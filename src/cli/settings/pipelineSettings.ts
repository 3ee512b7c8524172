import type { Pipeline } from "../../forge/pipeline.js";
import { fetchOf, findCommit, type QuietGit, quiet } from "../../manifest/git/findCommit.js";
import type { Git } from "../../manifest/git/git.js";
import { mergedBy } from "../../manifest/git/merges.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { readVariable } from "../../model/variables.js";
import { say } from "../../words/say.js";
import { pipelineOf } from "../forge/pipelineFrom.js";
import { gitHere } from "../world/gitHere.js";
import type { World } from "../world/world.js";
import { afterMerge, type Withheld } from "./withheld.js";

/** Whose settings are in force in a pipeline, where the operator names none. */
export interface PipelineSettings {
  /** The tip of the branch that the pull request goes into; null for the working tree. */
  readonly from: string | null;
  /** Why they cannot be read; null where they can. */
  readonly fault: Diagnostic | null;
  readonly held: Withheld | null;
}

const OWN: PipelineSettings = { from: null, fault: null, held: null };

/** Finds the settings in force by what the forge says of the pipeline. Nothing in the checkout decides. */
export async function pipelineSettings(world: World): Promise<PipelineSettings> {
  const { value: pipeline, diagnostics } = await pipelineOf(world);
  const isForge = pipeline !== null || diagnostics.some(({ code }) => code === "forge/incomplete");
  if (!isForge && readVariable(world.env, "CI") === undefined) return OWN;
  if (pipeline === null)
    return unreviewed("CI is set, and remit does not know which branch the pipeline runs for");
  const applied = readVariable(world.env, "REMIT_BRANCH") ?? pipeline.defaultBranch;
  const git = gitHere(world);
  const { change } = pipeline;
  if (applied === null) return unreviewed("the pipeline does not name the default branch");
  if (change.as === "none") {
    const head = git === null ? null : await findCommit(quiet(git), "HEAD");
    const isApplied = pipeline.branch === applied && head?.as === "commit" && head.commit === pipeline.commit;
    return isApplied
      ? OWN
      : unreviewed(`the checkout is not the commit of ${applied} that the pipeline runs for`);
  }
  if (change.as !== "pull request" || change.base === null)
    return unreviewed("the pipeline does not name the branch that its change goes into");
  const { base, number, commit } = change;
  const held =
    base === applied
      ? null
      : afterMerge(`#${number} goes into ${base}, and ${applied} is the branch that is applied`);
  const ref = `refs/remotes/origin/${base}`;
  const tip = git === null ? null : (await isThere(quiet(git), ref)) ? ref : await firstParent(git, commit);
  return { from: tip, fault: tip === null && held === null ? missing(pipeline, base, ref) : null, held };
}

async function isThere(git: QuietGit, name: string): Promise<boolean> {
  return (await findCommit(git, name)).as === "commit";
}

/** What HEAD was merged into, where it merges the head of the pull request; null where this checkout does not have it. */
async function firstParent(git: Git, head: string): Promise<string | null> {
  const merge = await findCommit(quiet(git), "HEAD");
  if (merge.as !== "commit" || (await mergedBy(git, merge.commit)) !== head) return null;
  return (await isThere(quiet(git), "HEAD^1")) ? "HEAD^1" : null;
}

function missing({ forge }: Pipeline, base: string, ref: string): Diagnostic {
  const depth = forge === "gitlab" ? "set GIT_DEPTH to 0" : "check out with `fetch-depth: 0`";
  return say("config/no-base", { base, ref: fetchOf(ref, ["origin"]), depth });
}

function unreviewed(why: string): PipelineSettings {
  const diagnostic: Diagnostic = say("config/unreviewed", { why });
  return { ...OWN, held: { as: "unreviewed", diagnostic } };
}
