import type { Desired } from "../../current/known.js";
import type { Kind } from "../../kinds/kind.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { same } from "../../model/json.js";
import { say } from "../../words/say.js";
import { writes } from "../calls.js";
import type { Decision } from "./decision.js";

/** Warns of each value that a write sets and that sets something off in the service: the hint `x-alerts`. */
export function alertsIn(
  { action, replaces, before, after }: Pick<Decision, "action" | "replaces" | "before" | "after">,
  { resource }: Pick<Desired, "resource">,
  { shape }: Pick<Kind, "shape">,
): readonly Diagnostic[] {
  if (after === null || !writes({ action, replaces })) return [];
  return [...shape.fields].flatMap(([field, { alerts }]) => {
    const [was, is] = [before?.[field] ?? null, after[field] ?? null];
    const effect = same(was, is) ? undefined : alerts?.[String(is)];
    if (effect === undefined) return [];
    const { span } = resource.place(["spec", field]);
    return say("plan/sets-off", { field, is: String(is), effect }, { span });
  });
}
