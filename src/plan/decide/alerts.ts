import type { Desired, Seen } from "../../current/known.js";
import type { Kind } from "../../kinds/kind.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { same } from "../../model/json.js";
import { say } from "../../words/say.js";
import { writes } from "../calls.js";
import type { Decision } from "./decision.js";

/** What the service says went wrong with an object that was read: a warning of every plan until it is over. */
export function troubleOf({ span }: Pick<Decision, "span">, seen: Seen): readonly Diagnostic[] {
  const isInTrouble = seen.as === "present" && seen.trouble !== undefined;
  return isInTrouble ? [say("plan/run-failed", { trouble: seen.trouble }, { span })] : [];
}

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
