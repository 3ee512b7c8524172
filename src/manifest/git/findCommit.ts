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
  const found = await lookUp(git, name);
  if (found.as !== "none") return found;
  const what = found.full === null ? undefined : (await git("cat-file", "-t", found.full))?.trim();
  return what === undefined ? await missing(git, name) : { as: "other", what };
}

/** The same commit; null where the name leads to none, or may lead to several. Why is not asked for. */
export async function commitNamed(git: QuietGit, name: string): Promise<string | null> {
  const found = await lookUp(git, name);
  return found.as === "commit" ? found.commit : null;
}

/** `full` is how git knows what the name leads to; null where it cannot lead anywhere. */
type LookedUp =
  | Extract<CommitFound, { readonly as: "commit" | "ambiguous" }>
  | { readonly as: "none"; readonly full: string | null };

async function lookUp(git: QuietGit, name: string): Promise<LookedUp> {
  if (!isName(name)) return { as: "none", full: null };
  const [start = ""] = name.split(END);
  const meanings = await meaningsOf(git, start);
  const [meaning, ...others] = meanings;
  if (others.length > 0) return { as: "ambiguous", meanings: meanings.map((one) => one.name) };
  // Without the ref itself, git would take the tag refs/tags/refs/….
  if (meaning === undefined && start.startsWith("refs/")) return { as: "none", full: null };
  if (meaning?.commit != null && name === start) return { as: "commit", commit: meaning.commit };
  const full = `${meaning?.name ?? start}${name.slice(start.length)}`;
  const commit = (await git("rev-parse", "--verify", "--quiet", `${full}^{commit}`))?.trim() ?? "";
  return FULL_HASH.test(commit) ? { as: "commit", commit } : { as: "none", full };
}

/** Whether a text can be a name at all. One that begins so would be an option of git, or the opposite of a name. */
export function isName(text: string): boolean {
  return text !== "" && !/^[-^]|\p{Cc}/u.test(text);
}

/** What a short name may mean: a ref, or a hash. The commit of a ref is null where git has not read it. */
interface Meaning {
  readonly name: string;
  readonly commit: string | null;
}

/** The refs and the commits that a short name may mean; none for a name that means one thing alone. */
async function meaningsOf(git: QuietGit, start: string): Promise<readonly Meaning[]> {
  if (start === "" || FULL_HASH.test(start) || OF_GIT.test(start)) return [];
  const branches = start.startsWith("refs/")
    ? [start]
    : [`refs/heads/${start}`, `refs/remotes/${start}`, `refs/remotes/${start}/HEAD`];
  const possible = start.startsWith("refs/")
    ? branches
    : [...branches, `refs/tags/${start}`, `refs/${start}`];
  const there = (await refsAmong(git, possible)).filter(({ name }) => possible.includes(name));
  const ofBranches = there.filter(({ name }) => branches.includes(name));
  const refs = ofBranches.length > 0 ? ofBranches : there;
  if (refs.length === 0 || !HASH.test(start)) return refs;
  const commits = (await git("rev-parse", `--disambiguate=${start}`)) ?? "";
  const hashes = commits.split("\n").filter((hash) => FULL_HASH.test(hash));
  return [...refs, ...hashes.map((name) => ({ name, commit: null }))];
}

/** The refs of some patterns, each with the commit that it or its tag names. */
async function refsAmong(git: QuietGit, patterns: readonly string[]): Promise<readonly Meaning[]> {
  const ask = (format: string) => git("for-each-ref", `--format=${format}`, ...patterns);
  // A partial clone may lack an object, and then git tells only the names.
  const found = (await ask(WITH_COMMITS)) ?? (await ask("%(refname)")) ?? "";
  return found.split("\n").map((line) => {
    const [name = "", ...objects] = line.split(" ");
    const at = objects.indexOf("commit");
    return { name, commit: at < 0 ? null : (objects[at + 1] ?? null) };
  });
}
const WITH_COMMITS = "%(refname) %(objecttype) %(objectname) %(*objecttype) %(*objectname)";

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
