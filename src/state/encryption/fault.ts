import { fault } from "../fault.js";
import type { StateError } from "../store.js";
import type { StateKey } from "./key.js";

/** The state is encrypted, and no key is given. */
export function needsKey(name: string): StateError {
  const hint = "Give its key in REMIT_STATE_KEY.";
  return fault("state/encrypted", `the state (${name}) is encrypted, and REMIT_STATE_KEY is not set`, hint);
}

/** The state was encrypted with a key that is not among the given ones. */
export function otherKey(name: string, id: string, keys: readonly StateKey[]): StateError {
  const given = keys.map((key) => key.id).join(", ");
  return fault(
    "state/encrypted",
    `the state (${name}) is encrypted with the key ${id}, and REMIT_STATE_KEY has ${given}`,
    "Add that key behind a comma, to read with it.",
  );
}

/** A key is given, and what is kept is not encrypted. */
export function notEncrypted(name: string): StateError {
  return fault(
    "state/not-encrypted",
    `the state (${name}) is not encrypted, and REMIT_STATE_KEY is set`,
    "Others may have replaced it. If you have not encrypted it yet, run `remit state encrypt` once.",
  );
}

/** What is kept was not written with the key for this place. */
export function unverified(name: string, what: string): StateError {
  return fault(
    "state/unverified",
    `the state (${name}) does not verify: ${what}`,
    "It was changed without the key, or copied from another place. Put back what remit wrote there, or use a copy of your own.",
  );
}

/** A key is given, and the mark that a state was moved was not written with it. */
export function unverifiedMove(name: string, to: string): StateError {
  return fault(
    "state/unverified",
    `${name} says that the state was moved to ${to}, and that was not written with the key`,
    `If you moved it there without the key, name ${to} in \`state:\`, REMIT_STATE or --state. Otherwise find out who wrote it.`,
  );
}
