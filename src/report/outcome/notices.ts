import type { Outcome } from "../../apply/event.js";
import type { Diagnostic, Severity } from "../../model/diagnostic.js";
import { quote } from "../../words/quote.js";
import { lineOf, noticesOfStatements, ownNotices } from "../plan/notices.js";
import type { OutcomeReport, StepOutcome } from "./report.js";
import { wordOf } from "./verdict.js";

/** What an apply has to say, as diagnostics: why the run stopped, each step that is not done, and its statements. */
export function noticesOfOutcome({
  fault,
  steps,
  statements,
  diagnostics,
}: OutcomeReport): readonly Diagnostic[] {
  const found = [...(fault === null ? [] : [fault]), ...diagnostics];
  return [...steps.flatMap(noticesOfStep), ...noticesOfStatements({ statements, diagnostics: found })];
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
  return [
    quote(code, severity, `${address}: ${wordOf(step)}`, { check: `${code} ${address}`, ...lineOf(place) }),
  ];
}
