import type { GitEnvironment } from "../../model/variables.js";
import { readOwnConfiguration } from "./git.js";

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
  const rows = await readOwnConfiguration(PATTERN, checkout, environment);
  // git writes the first and the last word of a name in lower case.
  const rules = (ending: string): readonly Rule[] =>
    rows
      .filter(([name]) => name.endsWith(`.${ending}`))
      .map(([name, from]) => ({ from, to: name.slice("url.".length, -ending.length - 1) }));
  const [both, pushes] = [rules("insteadof"), rules("pushinsteadof")];
  const fetched = (url: string) => rewritten(url, both) ?? url;
  return { fetched, pushed: (url) => rewritten(url, pushes) ?? fetched(url) };
}

const PATTERN = "^url\\..*\\.(push)?insteadof$";

/** The longest beginning counts, as in git. */
function rewritten(url: string, rules: readonly Rule[]): string | null {
  const [longest] = rules
    .filter(({ from }) => url.startsWith(from))
    .toSorted((one, other) => other.from.length - one.from.length);
  return longest === undefined ? null : `${longest.to}${url.slice(longest.from.length)}`;
}
