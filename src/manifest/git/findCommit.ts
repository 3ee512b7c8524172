import type { Git } from "./git.js";

/** The commit that a name leads to, or why it leads to none. */
export type CommitFound =
  | { readonly as: "commit"; readonly commit: string }
  /** Not in this checkout; `fetch` is the command that may help. */
  | { readonly as: "unknown"; readonly isShallow: boolean; readonly fetch: string }
  | { readonly as: "ambiguous"; readonly meanings: readonly string[] }
  /** It leads to a file or a folder. */
  | { readonly as: "other"; readonly what: string };

/** Git that says null where it refuses. */
export type QuietGit = (...argv: readonly string[]) => Promise<string | null>;

const FULL_HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const HASH = /^[0-9a-f]{4,64}$/;
/** What git itself writes, such as HEAD. */
const OF_GIT = /^(?:@|(?:[A-Z]+_)?HEAD)$/;
/** Where the name of a ref ends, and a way from its commit to another begins. */
const END = /[~^:]|@\{/;

/** The same git, which says null instead of throwing. */
export function quiet(git: Git): QuietGit {
  return (...argv) => git(argv).catch(() => null);
}

/**
 * Finds the commit of a branch, a tag, a hash or any other name of git. A branch comes before a tag: git prefers the tag, and
 * everyone who may push can make one. A name that means several branches, or a ref and a hash, is never guessed.
 */
export async function findCommit(git: QuietGit, name: string): Promise<CommitFound> {
  if (!isName(name)) return await missing(git, name);
  const [start = ""] = name.split(END);
  const meanings = await meaningsOf(git, start);
  if (meanings.length > 1) return { as: "ambiguous", meanings };
  // Without the ref itself, git would take the tag refs/tags/refs/….
  if (meanings.length === 0 && start.startsWith("refs/")) return await missing(git, name);
  const full = `${meanings[0] ?? start}${name.slice(start.length)}`;
  const commit = (await git("rev-parse", "--verify", "--quiet", `${full}^{commit}`))?.trim() ?? "";
  if (FULL_HASH.test(commit)) return { as: "commit", commit };
  const what = (await git("cat-file", "-t", full))?.trim();
  return what === undefined ? await missing(git, name) : { as: "other", what };
}

/** Whether a text can be a name at all. One that begins so would be an option of git, or the opposite of a name. */
export function isName(text: string): boolean {
  return text !== "" && !/^[-^]|\p{Cc}/u.test(text);
}

/** The refs and the commits that a short name may mean; none for a name that means one thing alone. */
async function meaningsOf(git: QuietGit, start: string): Promise<readonly string[]> {
  if (start === "" || FULL_HASH.test(start) || OF_GIT.test(start)) return [];
  const branches = start.startsWith("refs/")
    ? [start]
    : [`refs/heads/${start}`, `refs/remotes/${start}`, `refs/remotes/${start}/HEAD`];
  const possible = start.startsWith("refs/")
    ? branches
    : [...branches, `refs/tags/${start}`, `refs/${start}`];
  const found = (await git("for-each-ref", "--format=%(refname)", ...possible)) ?? "";
  const there = found.split("\n").filter((ref) => possible.includes(ref));
  const ofBranches = there.filter((ref) => branches.includes(ref));
  const refs = ofBranches.length > 0 ? ofBranches : there;
  if (refs.length === 0 || !HASH.test(start)) return refs;
  const commits = (await git("rev-parse", `--disambiguate=${start}`)) ?? "";
  return [...refs, ...commits.split("\n").filter((hash) => FULL_HASH.test(hash))];
}

/** Why git does not know a name, or lacks what it leads to: a shallow or a partial clone holds only a part. */
export async function missing(git: QuietGit, name: string): Promise<CommitFound & { as: "unknown" }> {
  const isShallow = (await git("rev-parse", "--is-shallow-repository"))?.trim() === "true";
  const remotes = ((await git("config", "--name-only", "--get-regexp", "^remote\\..*\\.url$")) ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.slice("remote.".length, -".url".length));
  return { as: "unknown", isShallow, fetch: fetchOf(name, remotes) };
}

/** The command that brings a commit into the checkout, without the rest of its history. */
export function fetchOf(name: string, remotes: readonly string[]): string {
  const short = name.replace(/^refs\/remotes\//, "");
  const remote = remotes.find((one) => short.startsWith(`${one}/`));
  const [first = "origin"] = remotes;
  if (remote !== undefined) {
    const branch = short.slice(remote.length + 1);
    return `git fetch --depth=1 ${remote} +refs/heads/${branch}:refs/remotes/${short}`;
  }
  if (name.startsWith("refs/")) return `git fetch --depth=1 ${first} +${name}:${name}`;
  if (HASH.test(name)) return `git fetch --depth=1 ${first} ${name}`;
  if (/[~^@]/.test(name)) return `git fetch --unshallow ${first}`;
  return `git fetch --depth=1 ${first} +refs/heads/${name}:refs/heads/${name}`;
}
