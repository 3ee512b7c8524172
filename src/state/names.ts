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
