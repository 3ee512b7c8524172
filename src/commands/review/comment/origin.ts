import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { checkedOut } from "../../../cli/forge/findPull.js";
import { pipelineSettings } from "../../../cli/settings/pipelineSettings.js";
import { gitHere } from "../../../cli/world/gitHere.js";
import type { World } from "../../../cli/world/world.js";
import type { Pipeline } from "../../../forge/pipeline.js";
import { isWithin } from "../../../manifest/files.js";
import { findCheckout } from "../../../manifest/git/git.js";
import { mergeBase } from "../../../manifest/git/history.js";
import { mergedBy, resolveCommit } from "../../../manifest/git/merges.js";
import type { Diagnostic } from "../../../model/diagnostic.js";
import { readVariable } from "../../../model/variables.js";
import type { PlanSettings } from "../../../plan/guards/settings.js";
import { say } from "../../../words/say.js";

/**
 * Why a file may be one that a commit brought: it is in the checkout, after links are followed, or its place is not known.
 * Null for a file that only this job can have written.
 */
export function placeFault({ cwd, env }: World, file: string): Diagnostic | null {
  if (file === "-")
    return say("comment/in-checkout", { file: "standard input", why: "may be a file of the checkout" });
  let path = resolve(cwd, file);
  try {
    path = realpathSync(path);
  } catch {
    // A file that is not there is refused when it is read.
    return null;
  }
  const workspaces = (["GITHUB_WORKSPACE", "CI_PROJECT_DIR"] as const).flatMap(
    (name) => readVariable(env, name) ?? [],
  );
  const roots = [cwd, dirname(path)].flatMap((folder) => findCheckout(folder)?.root ?? []);
  const isInside = [...workspaces.map(really), ...roots].some((root) => isWithin(root, path));
  return isInside ? say("comment/in-checkout", { file, why: "is in the checkout" }) : null;
}

function really(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

/**
 * Why a plan or a report is not about the commit of this job. That is the head of the pull request, or a merge with the head
 * as second parent. Without a pull request, it is the commit that is checked out. Null where it is about that commit.
 */
export async function commitFault(
  world: World,
  { change }: Pipeline,
  file: string,
  commit: string | null,
): Promise<Diagnostic | null> {
  const head = change.as === "branch" ? change.head.commit : "commit" in change ? change.commit : null;
  const wanted = head ?? (await checkedOut(world));
  if (commit === null || wanted === null) return say("comment/other-commit#unknownCommit", { file });
  if (commit === wanted) return null;
  const isOfChange = change.as === "pull request" || change.as === "branch";
  const merged = isOfChange ? await headIn(world, commit) : null;
  return merged === wanted
    ? null
    : say("comment/other-commit#otherCommit", {
        file,
        commit: commit.slice(0, 12),
        wanted: wanted.slice(0, 12),
      });
}

/** Why the settings of a plan came from the change that it is about: the change decided about itself. Null where they did not. */
export async function settingsFault(
  world: World,
  { change }: Pipeline,
  file: string,
  from: PlanSettings["from"],
): Promise<Diagnostic | null> {
  if (change.as !== "pull request" && change.as !== "branch") return null;
  if (from === null) return ofChange(file, "the working tree");
  if (from.commit === null) return placeFault(world, from.named) === null ? null : ofChange(file, from.named);
  const head = change.as === "branch" ? change.head.commit : change.commit;
  const { from: base } = await pipelineSettings(world);
  const git = gitHere(world);
  const tip = git === null || base === null ? null : await resolveCommit(git, base);
  const isReviewed =
    git === null || tip === null || from.commit === tip
      ? from.commit !== head
      : (await mergeBase(git, from.commit, tip)) === from.commit;
  return isReviewed ? null : ofChange(file, `the commit ${from.commit.slice(0, 12)}`);
}

function ofChange(file: string, source: string): Diagnostic {
  return say("comment/own-settings", { file, source });
}

/** The head that a commit of this checkout merges; null where it merges none. */
async function headIn(world: World, commit: string): Promise<string | null> {
  const git = gitHere(world);
  return git === null ? null : mergedBy(git, commit);
}
