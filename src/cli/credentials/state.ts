import type { Secret } from "../../model/secret.js";
import type { Environment, SecretName } from "../../model/variables.js";
import { StateError } from "../../state/store.js";
import { namerOf, type Settings } from "../settings/table.js";
import { give, type Receiver, withheld } from "./give.js";

/** The server that keeps a state, by its address. */
export function stateServer({ state }: Settings, shown: string, isClear = false): Receiver {
  return { shown, namedBy: namerOf(state), namedIn: "REMIT_STATE or --state", isClear };
}

/** The secret of a variable for a store; null where it is not set. Throws a `StateError` where the store must not have it. */
export function giveStore(env: Environment, name: SecretName, to: Receiver): Secret | null {
  const { value, diagnostics } = give(env, name, to);
  for (const why of diagnostics) throw new StateError(why);
  return value;
}

/** Throws a `StateError` where a store must not have a secret that no variable holds, such as lent keys. */
export function mayHave(what: string, to: Receiver): void {
  const why = withheld(what, to);
  if (why !== null) throw new StateError(why);
}
