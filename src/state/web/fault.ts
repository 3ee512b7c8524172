import { say } from "../../words/say.js";
import { StateError } from "../store.js";

/** The server answers that it does not do what was asked; another attempt fares no better. */
export function refused(name: string, why: string, next: string): StateError {
  return new StateError(say("state/refused#store", { name, why, next }));
}

/** The server has no room for what is written: its disk or a quota is full. */
export function noRoom(name: string, code: string): StateError {
  const hint = "Make room on its server or raise the quota, and run the same command again.";
  return refused(name, `its disk or its quota is full (${code})`, hint);
}

/** The store carries out conditional writes whose condition does not hold. */
export function noSwap(name: string, ignored: string): StateError {
  return new StateError(say("state/no-swap#web", { name, ignored }));
}
