import { fault } from "../fault.js";
import type { StateError } from "../store.js";

/** The server answers that it does not do what was asked; another attempt fares no better. */
export function refused(name: string, why: string, next: string): StateError {
  return fault("state/refused", `${name} does not keep the state: ${why}`, next);
}

/** The server has no room for what is written: its disk or a quota is full. */
export function noRoom(name: string, code: string): StateError {
  const hint = "Make room on its server or raise the quota, and run the same command again.";
  return refused(name, `its disk or its quota is full (${code})`, hint);
}

/** The server stays away. */
export function unreachable(name: string, why: string): StateError {
  const hint = "Check its address and the network, and run the same command again.";
  return fault("state/unreachable", `${name} did not answer (${why})`, hint, undefined, "again");
}

/** The store carries out conditional writes whose condition does not hold. */
export function noSwap(name: string, ignored: string): StateError {
  const hint =
    "Two runs could hold its lock at once. Keep the state in another store: docs/stores.md compares them.";
  return fault("state/no-swap", `${name} ignores ${ignored}`, hint);
}
