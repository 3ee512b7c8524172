import { findCommit, quiet } from "./findCommit.js";
import type { Git } from "./git.js";
import { mergeBase } from "./history.js";

/** A commit of the first-parent line. */
export interface MainlineCommit {
  readonly commit: string;
  /** The commit before it; null for the first of all. */
  readonly before: string | null;
  /** The head that it merges; null where it is not a merge of one head. */
  readonly merged: string | null;
}

/** The commit that a name means in this checkout; null where it means none, or several. */
export async function resolveCommit(git: Git, name: string): Promise<string | null> {
  const found = await findCommit(quiet(git), name);
  return found.as === "commit" ? found.commit : null;
}

/**
 * The commits after one commit up to another along first parents, the oldest first. Null where the first is not an
 * ancestor of the other, or this checkout does not have both.
 */
export async function mainline(
  git: Git,
  after: string,
  head: string,
): Promise<readonly MainlineCommit[] | null> {
  if ((await mergeBase(git, after, head)) !== after) return null;
  const argv = ["rev-list", "--first-parent", "--parents", "--reverse", `${after}..${head}`];
  const printed = await git(argv).catch(() => null);
  if (printed === null) return null;
  return printed
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [commit = "", before = null, merged = null, ...more] = line.split(" ");
      return { commit, before, merged: more.length === 0 ? merged : null };
    });
}
