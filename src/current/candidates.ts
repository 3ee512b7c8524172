import type { Finder, Named } from "../kinds/named.js";
import { nearest } from "../schema/didYouMean.js";

/** Everything that a name may mean, found without going through the whole list each time. */
export interface Candidates {
  /** In the order of their names, whatever order the service listed them in. */
  readonly every: readonly Named[];
  withId(id: string): Named | undefined;
  /** All that have exactly this text as that name. */
  called(by: Finder, text: string): readonly Named[];
}

/** Candidates from the rows of a list; what has no id cannot be meant. Several rows with one id are one: the last. */
export function makeCandidates(listed: readonly Named[]): Candidates {
  // A row that is on two pages of a list stands for one object.
  const byId = new Map(listed.map((one) => [one.id, one]));
  byId.delete("");
  const every = [...byId.values()].sort(byName);
  const byText = new Map<Finder, ReadonlyMap<string, readonly Named[]>>();
  return {
    every,
    withId: (id) => byId.get(id),
    called(by, text) {
      const index = byText.get(by) ?? indexed(every, by);
      byText.set(by, index);
      return index.get(text) ?? [];
    },
  };
}

/** The candidates that a wrong name may mean, with their ids: the nearest first, and not more than ten. */
export function alike({ every }: Candidates, by: Finder, wanted: string): string {
  if (every.length === 0) return "The service lists none at all.";
  const sorted = nearest(wanted, every, (one) => [one[by] ?? one.name]);
  const shown = `${sorted.slice(0, MOST_SHOWN).map(described).join(", ")}.`;
  return every.length > MOST_SHOWN
    ? `The service lists ${every.length}; the nearest: ${shown}`
    : `The service lists ${every.length}, the nearest first: ${shown}`;
}

const MOST_SHOWN = 10;

/** Candidates as a sentence shows them, and how many are left out. */
export function inWords(candidates: readonly Named[]): string {
  const shown = candidates.slice(0, MOST_SHOWN).map(described);
  const rest = candidates.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
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
function textsOf(one: Named, by: Finder): ReadonlySet<string> {
  return new Set([one[by] ?? "", ...(by === "email" ? (one.emails ?? []) : [])]);
}

function byName(one: Named, other: Named): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}
