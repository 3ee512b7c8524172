import { withKeys } from "../../src/state/encryption/store.js";
import type { Kept } from "../../src/state/snapshot.js";
import type { Store } from "../../src/state/store.js";

/** A store without encryption. */
export function inTheClear(store: Store<Kept>): Store {
  return withKeys(store, { keys: [], place: "test", version: "0.1.0" });
}
