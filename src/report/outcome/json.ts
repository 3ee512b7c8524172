import { whole } from "../diagnostics/whole.js";
import { tameJson } from "../text/tame.js";
import { visibleJson } from "../text/visible.js";
import type { OutcomeReport } from "./report.js";

/** The outcome of an apply for a program: `schemas/outcome.json`, with every member always present. */
export function renderOutcomeJson(report: OutcomeReport): string {
  const steps = report.steps.map((step) => ({ ...step, diagnostics: step.diagnostics.map(whole) }));
  const fault = report.fault === null ? null : whole(report.fault);
  return `${tameJson(visibleJson({ ...report, steps, fault, diagnostics: report.diagnostics.map(whole) }))}\n`;
}
