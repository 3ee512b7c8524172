import type { Diagnostic } from "../model/diagnostic.js";
import type { Trace } from "./store.js";

/** What is said of a state that is missing, and of what shows that it existed. */
export function lostState({ what, remedy }: Trace): Diagnostic {
  const message = `the state is missing, but ${what} shows that a state existed`;
  return { code: "state/lost", severity: "warning", message, hint: remedy };
}
