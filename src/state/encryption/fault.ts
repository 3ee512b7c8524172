import { say } from "../../words/say.js";
import { StateError } from "../store.js";
import type { StateKey } from "./key.js";

/** The state was encrypted with a key that is not among the given ones. */
export function otherKey(name: string, id: string, keys: readonly StateKey[]): StateError {
  const given = keys.map((key) => key.id).join(", ");
  return new StateError(say("state/encrypted#otherKey", { name, id, given }));
}

/** What is kept was not written with the key for this place. */
export function unverified(name: string, what: string): StateError {
  return new StateError(say("state/unverified#changed", { name, what }));
}
