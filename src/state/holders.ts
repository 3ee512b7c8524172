import { formatAddress } from "../model/address.js";
import type { Entry } from "./snapshot.js";

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
