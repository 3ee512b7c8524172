import { formatAddress, withKey } from "../model/address.js";
import { globbed } from "../model/glob.js";
import type { Entry, Snapshot } from "./snapshot.js";

/** What a state command calls an object: its address, and that of a former one with its key. */
export function nameOfEntry({ address, key, former }: Entry): string {
  return formatAddress(former === true ? withKey(address, key) : address);
}

/**
 * The names of the entries that a name means: `Kind/name` or `Kind/name@APP/ID`. More than one where former objects
 * have the address and no object has it now.
 */
export function entriesNamed(snapshot: Snapshot | null, name: string): readonly (readonly [string, Entry])[] {
  const all = Object.entries(snapshot?.entries ?? {});
  const exact = all.filter(
    ([, entry]) => nameOfEntry(entry) === name || formatAddress(withKey(entry.address, entry.key)) === name,
  );
  return exact.length > 0 ? exact : all.filter(([, entry]) => formatAddress(entry.address) === name);
}

/** The entries that a pattern with `*` fits, by either name of each. */
export function entriesLike(
  snapshot: Snapshot | null,
  pattern: string,
): readonly (readonly [string, Entry])[] {
  return Object.entries(snapshot?.entries ?? {}).filter(
    ([, entry]) =>
      globbed(pattern, nameOfEntry(entry)) ||
      globbed(pattern, formatAddress(withKey(entry.address, entry.key))),
  );
}

/**
 * The object that has each formatted address. Several objects may be remembered by one address: an object that a
 * replacement left is there until someone decides about it, and is never the one that has the address.
 */
export function holdersIn(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  const present = entries.filter(({ former }) => former !== true);
  return new Map(present.map((entry) => [formatAddress(entry.address), entry]));
}

/** Entries so that of several with one address the last one has it. */
export function inTurn(entries: readonly Entry[]): readonly Entry[] {
  const rank = ({ former }: Entry) => (former === true ? 0 : 1);
  return entries.toSorted((one, other) => rank(one) - rank(other));
}
