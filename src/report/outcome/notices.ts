import type { Outcome } from "../../apply/event.js";
import type { Diagnostic, Severity } from "../../model/diagnostic.js";
import { lineOf, ownNotices } from "../plan/notices.js";
import type { OutcomeReport, StepOutcome } from "./report.js";
import { wordOf } from "./verdict.js";

/** What an apply has to say about lines of manifests, as diagnostics: why the run stopped, and each step that is not done. */
export function noticesOfOutcome({ fault, steps }: OutcomeReport): readonly Diagnostic[] {
  return [...(fault === null ? [] : [fault]), ...steps.flatMap(noticesOfStep)];
}

const UNDONE: Readonly<Record<Exclude<Outcome, "done">, readonly [code: string, severity: Severity]>> = {
  uncertain: ["apply/uncertain", "error"],
  failed: ["apply/failed", "error"],
  refused: ["plan/stale", "error"],
  skipped: ["apply/skipped", "error"],
  left: ["apply/left", "warning"],
};

function noticesOfStep(step: StepOutcome): readonly Diagnostic[] {
  const { address, action, outcome, place } = step;
  const own = ownNotices(step);
  if (outcome === "done" || own.length > 0) return own;
  const [code, severity] = action === "blocked" ? (["plan/blocked", "error"] as const) : UNDONE[outcome];
  return [{ code, severity, message: `${address}: ${wordOf(step)}`, ...lineOf(place) }];
}
