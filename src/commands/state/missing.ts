import { formatAddress, parseAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { meantAddress } from "../../schema/didYouMean.js";
import { nameOfEntry } from "../../state/names.js";
import type { Entry, Snapshot } from "../../state/snapshot.js";
import { say } from "../../words/say.js";

/** An address that several objects of the state have. */
export function several(address: string, entries: readonly Entry[]): Diagnostic {
  return say("state/ambiguous", { count: entries.length, address, entries: entries.map(nameOfEntry) });
}

/** An address or a pattern that nothing in the state has. */
export function unknown(address: string, snapshot: Snapshot | null): Diagnostic {
  const known = [
    ...Object.values(snapshot?.entries ?? {}).map(nameOfEntry),
    ...Object.values(snapshot?.uncertain ?? {}).map((one) => formatAddress(one.address)),
  ];
  return say("state/unknown#unknown", { address }, { hint: afterUnknown(address, known) });
}

function afterUnknown(address: string, known: readonly string[]): string {
  const meant = meantAddress(address, known);
  if (parseAddress(address) === undefined)
    return `${meant} An address is a kind and a name: EntitlementAutomation/engineering-group.`.trim();
  return known.length === 0
    ? "The state is empty."
    : `${meant} \`remit state list\` prints its ${known.length === 1 ? "one address" : `${known.length} addresses`}.`;
}
