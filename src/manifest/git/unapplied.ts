import { type Git, pathspecOf } from "./git.js";
import { mergeBase } from "./history.js";

/** What was merged after the last commit that was applied completely. */
export interface Unapplied {
  /** That commit. */
  readonly after: string;
  /** The oldest commits that change the project, in first-parent order; null where this checkout cannot tell. */
  readonly commits: readonly { readonly commit: string; readonly subject: string }[] | null;
  /** How many more there are, at most a thousand. */
  readonly more: number;
}

/** Git is asked for so many commits, and for so many columns of each subject. */
const MOST_COMMITS = 1000;
const LONGEST_SUBJECT = 120;
/** A plan names so many of them. */
const MOST_NAMED = 20;

/**
 * The commits of the first-parent line after one that was applied, up to another, that change one of some files or
 * folders. Without another, the line ends at HEAD, or where HEAD left the main branch of the remote. Null where there is
 * none, or where the line does not contain the applied one.
 */
export async function unappliedAfter(
  git: Git,
  after: string,
  end: string | null,
  pathsUntil: (until: string) => Promise<readonly string[]>,
): Promise<Unapplied | null> {
  const unknown = { after, commits: null, more: 0 };
  const until = end ?? (await mergeBase(git, "HEAD", "refs/remotes/origin/HEAD")) ?? "HEAD";
  const base = await mergeBase(git, after, until);
  if (base === null) return unknown;
  if (base !== after) return null;
  const paths = await pathsUntil(until).catch(() => null);
  if (paths === null) return unknown;
  const printed = await git([
    "rev-list",
    "--first-parent",
    `--max-count=${MOST_COMMITS}`,
    `--format=%x00%<(${LONGEST_SUBJECT},trunc)%s`,
    `${after}..${until}`,
    "--",
    ...paths.map(pathspecOf),
  ]).catch(() => null);
  if (printed === null) return unknown;
  const commits = [...printed.matchAll(/^commit ([0-9a-f]+)\n\0(.*)$/gm)]
    .map(([, commit = "", subject = ""]) => ({
      commit,
      subject: [...subject.trim()].slice(0, LONGEST_SUBJECT).join(""),
    }))
    .reverse();
  if (commits.length === 0) return null;
  return { after, commits: commits.slice(0, MOST_NAMED), more: Math.max(0, commits.length - MOST_NAMED) };
}
