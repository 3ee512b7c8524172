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

/** Where the main branch is looked for, in this order: `clone` alone sets HEAD of a remote. */
const MAIN_BRANCHES = [
  "refs/remotes/origin/HEAD",
  "refs/remotes/origin/main",
  "refs/remotes/origin/master",
  "refs/heads/main",
  "refs/heads/master",
];

/**
 * The commits of the main branch after one that was applied that change one of some files or folders. They end where
 * HEAD, or the begin of a change, left the main branch: the commits of a branch are not merged. The main branch is the
 * reviewed one, where a commit of it is given. Null where there is none, or where the line does not contain the applied
 * one.
 */
export async function unappliedAfter(
  git: Git,
  after: string,
  { end, reviewed }: { readonly end: string | null; readonly reviewed: string | null },
  pathsUntil: (until: string) => Promise<readonly string[]>,
): Promise<Unapplied | null> {
  const unknown = { after, commits: null, more: 0 };
  const until = await mergedUntil(git, end ?? "HEAD", reviewed);
  if (after === until) return null;
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

/** The last commit of the main branch that a commit has; the commit itself where no main branch is known. */
async function mergedUntil(git: Git, commit: string, reviewed: string | null): Promise<string> {
  const head = await git(["rev-parse", "HEAD"]).catch(() => "");
  // Settings of HEAD itself say nothing about what is merged.
  const named = reviewed === null || reviewed === head.trim() ? [] : [reviewed];
  for (const branch of [...named, ...MAIN_BRANCHES]) {
    const base = await mergeBase(git, commit, branch);
    if (base !== null) return base;
  }
  return commit;
}
