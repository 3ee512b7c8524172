import type { Desired } from "../../tenant/known.js";
import { say } from "../../words/say.js";
import { writes } from "../calls.js";
import { blockedInstead, type Decision } from "./decision.js";
import type { Situation } from "./situation.js";

/** The decision, blocked where the service would refuse its write: an author hears of that before anything is sent. */
export function unlessRefused(
  decision: Decision,
  { resource }: Pick<Desired, "resource">,
  { kind, seen }: Pick<Situation, "kind" | "seen">,
): Decision {
  const { action, replaces, before, after, key } = decision;
  if (kind.refuses === undefined || after === null || !writes({ action, replaces })) return decision;
  const { isConnected } = seen.as === "present" ? seen : {};
  const refusal = kind.refuses(before, after, { key, ...(isConnected && { isConnected }) });
  if (refusal === null) return decision;
  const { field, message, hint } = refusal;
  const diagnostic = say(
    "plan/refused-by-service",
    { why: message, next: hint },
    resource.place(["spec", field]),
  );
  return blockedInstead(decision, "refused by the service", [diagnostic]);
}
