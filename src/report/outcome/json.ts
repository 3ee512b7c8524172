import { visibleJson } from "../findings/visible.js";
import type { OutcomeReport } from "../outcome.js";
import { tameJson } from "../tame.js";
import { whole } from "../whole.js";

/** What an apply came to, for a program: `schemas/outcome.json`, every member always there. */
export function renderOutcomeJson(report: OutcomeReport): string {
  const steps = report.steps.map((step) => ({ ...step, diagnostics: step.diagnostics.map(whole) }));
  const fault = report.fault === null ? null : whole(report.fault);
  return `${tameJson(visibleJson({ ...report, steps, fault }))}\n`;
}
