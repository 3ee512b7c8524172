import type { Desired } from "../../current/known.js";
import type { Kind } from "../../kinds/kind.js";
import { writes } from "../calls.js";
import { blockedInstead, type Decision } from "./decision.js";

/** The decision, blocked where the service would refuse its write: an author hears of that before anything is sent. */
export function unlessRefused(
  decision: Decision,
  { resource }: Pick<Desired, "resource">,
  { refuses }: Pick<Kind, "refuses">,
): Decision {
  const { action, replaces, before, after } = decision;
  if (refuses === undefined || after === null || !writes({ action, replaces })) return decision;
  const refusal = refuses(before, after);
  if (refusal === null) return decision;
  const { field, message, hint } = refusal;
  const diagnostic = {
    code: "plan/refused-by-service",
    severity: "error",
    message,
    ...resource.place(["spec", field]),
    hint,
  } as const;
  return blockedInstead(decision, "refused by the service", [diagnostic]);
}
