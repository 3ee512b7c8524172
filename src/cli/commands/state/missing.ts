import { type Entry, nameOfEntry, type Snapshot } from "../../../entry/stores.js";
import { type Diagnostic, parseAddress } from "../../../entry/values.js";

/** An address that several objects of the state have. */
export function several(address: string, entries: readonly Entry[]): Diagnostic {
  return {
    code: "state/ambiguous",
    severity: "error",
    message: `${entries.length} objects in the state have the address ${address}`,
    hint: `Name one of them: ${entries.map(nameOfEntry).join(", ")}.`,
  };
}

/** An address or a pattern that nothing in the state has. */
export function unknown(address: string, snapshot: Snapshot | null): Diagnostic {
  const count = Object.keys(snapshot?.entries ?? {}).length + Object.keys(snapshot?.uncertain ?? {}).length;
  return {
    code: "state/unknown",
    severity: "error",
    message: `the state does not contain ${address}`,
    hint:
      parseAddress(address) !== undefined
        ? `\`remit state list\` prints the ${count} addresses in it.`
        : "An address is a kind and a name: EntitlementAutomation/engineering-group.",
  };
}
