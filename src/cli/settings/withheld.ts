import type { Diagnostic } from "../../model/diagnostic.js";
import { say } from "../../words/say.js";

/**
 * What a pipeline does not do. `after merge`: nothing that needs a tenant, a state or a forge, because nothing is applied before
 * another merge. `unreviewed`: no plan and no apply, because the settings of the working tree may be those of a change.
 */
export interface Withheld {
  readonly as: "after merge" | "unreviewed";
  readonly diagnostic: Diagnostic;
}

/** A plan that is made once the change is merged. */
export function afterMerge(why: string): Withheld {
  return {
    as: "after merge",
    diagnostic: say("plan/after-merge", { why }),
  };
}

/** Why a command does not begin; null where it may. A plan that waits for the merge is only a note. */
export function heldBack(command: string, held: Withheld | null): Diagnostic | null {
  if (held === null) return null;
  if (held.as === "unreviewed") return command === "plan" || command === "apply" ? held.diagnostic : null;
  return command === "plan" ? held.diagnostic : { ...held.diagnostic, severity: "error" };
}
