import type { Finder, Named } from "../../kinds/named.js";
import { unfitCharacter } from "../../model/key.js";
import { onceFor } from "../../model/onceFor.js";
import { awayFrom, didYouMean } from "../../schema/didYouMean.js";
import { firstOf } from "../../words/more.js";

/** Everything that a name may mean, found without going through the whole list each time. */
export interface Candidates {
  readonly size: number;
  /** All of them, in any order. */
  every(): Iterable<Named>;
  withId(id: string): Named | undefined;
  /** All that have exactly this text as that name. */
  called(by: Finder, text: string): readonly Named[];
}

/** Candidates from the rows of a list; what has no id, or a text that cannot be one, cannot be meant. Several rows with one id are one: the last. */
export function makeCandidates(listed: readonly Named[]): Candidates {
  // A row that is on two pages of a list stands for one object.
  const byId = new Map(
    listed.filter(({ id }) => unfitCharacter(id) === null).map((one) => [one.id, one] as const),
  );
  const every = [...byId.values()].sort(byName);
  const indexBy = onceFor((by: Finder) => indexed(every, by));
  return {
    size: every.length,
    every: () => every,
    withId: (id) => byId.get(id),
    called: (by, text) => indexBy(by).get(text) ?? [],
  };
}

/** The candidates that a wrong name may mean, with their ids: the nearest first, and not more than three. */
export function alike(candidates: Candidates, by: Finder, wanted: string): string {
  const { size } = candidates;
  if (size === 0) return "The service lists none at all.";
  const near = nearest(candidates, by, wanted);
  const [first] = near;
  const meant = first === undefined ? undefined : didYouMean(wanted, [...textsOf(first, by)]);
  const shown = `${near.map(described).join(", ")}.`;
  const listed =
    size > MOST_NEAR
      ? `The service lists ${size}; the nearest: ${shown}`
      : `The service lists ${size}, the nearest first: ${shown}`;
  return meant === undefined ? listed : `${meant} ${listed}`;
}

/** The candidates whose names are nearest to a wrong one; no others are held. */
function nearest(candidates: Candidates, by: Finder, wanted: string): readonly Named[] {
  const away = awayFrom(wanted);
  const found: { readonly one: Named; readonly away: number }[] = [];
  for (const one of candidates.every()) {
    const each = { one, away: away(one[by] ?? one.name) };
    if (found.length === MOST_NEAR && each.away > (found.at(-1)?.away ?? 0)) continue;
    found.push(each);
    found.sort((first, second) => first.away - second.away || byName(first.one, second.one));
    found.length = Math.min(found.length, MOST_NEAR);
  }
  return found.map(({ one }) => one);
}

const MOST_NEAR = 3;
const MOST_SHOWN = 10;

/** Candidates as a sentence shows them, and how many are left out. */
export function inWords(candidates: readonly Named[]): string {
  return firstOf(candidates.map(described), MOST_SHOWN);
}

/** `Admin (alias github-admin, 2fsg…)`; people are shown by their address. */
function described({ name, alias = "", email = "", id }: Named): string {
  return `${email === "" ? name : email} (${alias === "" ? "" : `alias ${alias}, `}${id})`;
}

function indexed(every: readonly Named[], by: Finder): ReadonlyMap<string, readonly Named[]> {
  const index = new Map<string, Named[]>();
  for (const one of every) {
    for (const text of textsOf(one, by)) {
      const same = index.get(text);
      if (same === undefined) index.set(text, [one]);
      else same.push(one);
    }
  }
  return index;
}

/** Every text of that sort that an object has: a user may have several e-mail addresses. */
export function textsOf(one: Named, by: Finder): ReadonlySet<string> {
  return new Set([one[by] ?? "", ...(by === "email" ? (one.emails ?? []) : [])]);
}

/** The order of objects, whatever order the service lists them in. */
export function byName(one: Named, other: Named): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}
