import type { GitEnvironment } from "../../model/variables.js";
import { quiet } from "./findCommit.js";
import { type Git, readOwnConfiguration } from "./git.js";

/** The remotes of a checkout by name, as its own configuration has them; nothing else of it is read. */
export async function readRemotes(git: Git): Promise<ReadonlyMap<string, string>> {
  // git exits 1 where nothing matches.
  const found = await git(["config", "--local", "--no-includes", "--null", "--get-regexp", PATTERN]).catch(
    () => "",
  );
  const rows = found.split("\0").filter((row) => row.includes("\n"));
  return new Map(
    rows.map((row) => {
      const end = row.indexOf("\n");
      return [row.slice("remote.".length, end - ".url".length), row.slice(end + 1)];
    }),
  );
}

const PATTERN = "^remote\\..*\\.url$";

/**
 * The branch that changes are merged into. The clone noted it for `origin`, or `origin` has only one branch. Where
 * nothing was pushed, it is the branch that is checked out. Null where the checkout does not show it.
 */
export async function defaultBranch(git: Git): Promise<string | null> {
  const ask = quiet(git);
  async function branchBehind(ref: string, under: string): Promise<string | null> {
    const target = (await ask("symbolic-ref", "--quiet", ref))?.trim() ?? "";
    return target.startsWith(under) ? target.slice(under.length) : null;
  }
  const noted = await branchBehind(`${PUSHED}HEAD`, PUSHED);
  if (noted !== null) return noted;
  const listed = (await ask("for-each-ref", "--format=%(refname)", PUSHED)) ?? "";
  const refs = listed.split("\n").filter((ref) => ref.startsWith(PUSHED));
  const branches = refs.map((ref) => ref.slice(PUSHED.length));
  const [first = null] = branches;
  if (first === null) return branchBehind("HEAD", OWN);
  return branches.length === 1 ? first : (USUAL.find((name) => branches.includes(name)) ?? null);
}

const PUSHED = "refs/remotes/origin/";
const OWN = "refs/heads/";
const USUAL = ["main", "master"];

/** Where git really connects to for an address: the user's own configuration may rewrite its beginning. */
interface Rewrites {
  readonly fetched: (url: string) => string;
  readonly pushed: (url: string) => string;
}

/** A beginning of addresses, and what git puts in its place. */
interface Rule {
  readonly from: string;
  readonly to: string;
}

/** Reads `url.….insteadOf` and `url.….pushInsteadOf` of the user's own configuration. */
export async function readRewrites(checkout: string, environment: GitEnvironment): Promise<Rewrites> {
  const rows = await readOwnConfiguration(REWRITE, checkout, environment);
  // git writes the first and the last word of a name in lower case.
  const rules = (ending: string): readonly Rule[] =>
    rows
      .filter(([name]) => name.endsWith(`.${ending}`))
      .map(([name, from]) => ({ from, to: name.slice("url.".length, -ending.length - 1) }));
  const [both, pushes] = [rules("insteadof"), rules("pushinsteadof")];
  const fetched = (url: string) => rewritten(url, both) ?? url;
  return { fetched, pushed: (url) => rewritten(url, pushes) ?? fetched(url) };
}

const REWRITE = "^url\\..*\\.(push)?insteadof$";

/** The longest beginning counts, as in git. */
function rewritten(url: string, rules: readonly Rule[]): string | null {
  const [longest] = rules
    .filter(({ from }) => url.startsWith(from))
    .toSorted((one, other) => other.from.length - one.from.length);
  return longest === undefined ? null : `${longest.to}${url.slice(longest.from.length)}`;
}
