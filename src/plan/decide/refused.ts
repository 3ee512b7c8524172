import type { Desired } from "../../current/known.js";
import type { Kind } from "../../kinds/kind.js";
import { say } from "../../words/say.js";
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
  const diagnostic = say(
    "plan/refused-by-service",
    { why: message, next: hint },
    resource.place(["spec", field]),
  );
  return blockedInstead(decision, "refused by the service", [diagnostic]);
}
