import { quiet } from "./findCommit.js";
import type { Git } from "./git.js";

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
