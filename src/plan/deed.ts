import type { Action, Step } from "./step.js";

/** What is done to one object. */
export type Deed = Exclude<Action, "replace">;

/** What a step does to the object at its key: of a replacement, what it does to the new object. */
export function deedOf({ action, replaces }: Pick<Step, "action" | "replaces">): Deed {
  // A plan with a replacement that replaces nothing is refused when it is read.
  return action === "replace" ? (replaces?.by ?? "blocked") : action;
}
