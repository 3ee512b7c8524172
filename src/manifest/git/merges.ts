import { commitNamed, quiet } from "./findCommit.js";
import { type Git, pathspecOf } from "./git.js";
import { mergeBase, OBJECT, parentsOf } from "./history.js";

/** A commit of the first-parent line. */
export interface MainlineCommit {
  readonly commit: string;
  /** The commit before it; null for the first of all. */
  readonly before: string | null;
  /** The head that it merges; null where it is not a merge of one head. */
  readonly merged: string | null;
  /** Whether it changes a file of the given paths. */
  readonly isWithin: boolean;
}

/** The head that a commit merges, also in a checkout without its history; null where it is not a merge of one head. */
export async function mergedBy(git: Git, commit: string): Promise<string | null> {
  const parents = OBJECT.test(commit) ? await parentsOf(git, commit).catch(() => []) : [];
  return parents.length === 2 ? (parents[1] ?? null) : null;
}

/** The commit that a name means in this checkout; null where it means none, or several. */
export async function resolveCommit(git: Git, name: string): Promise<string | null> {
  return commitNamed(quiet(git), name);
}

/**
 * The commits after one commit up to another along first parents, the oldest first, and which of them change one of
 * some files or folders of the checkout. Null where the first is not an ancestor of the other, or this checkout does
 * not have both.
 */
export async function mainline(
  git: Git,
  after: string,
  head: string,
  paths: readonly string[],
): Promise<readonly MainlineCommit[] | null> {
  if (after === head) return [];
  if ((await mergeBase(git, after, head)) !== after) return null;
  const walk = ["rev-list", "--first-parent", "--reverse", `${after}..${head}`];
  const scope = paths.map(pathspecOf);
  const within = scope.length === 0 ? null : git([...walk, "--", ...scope]);
  const found = await Promise.all([git([...walk, "--parents"]), within]).catch(() => null);
  if (found === null) return null;
  const [printed, changing] = found;
  const inside = changing === null ? null : new Set(changing.split("\n"));
  return printed
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [commit = "", before = null, merged = null, ...more] = line.split(" ");
      return {
        commit,
        before,
        merged: more.length === 0 ? merged : null,
        isWithin: inside?.has(commit) ?? true,
      };
    });
}
