import { whole } from "../diagnostics/whole.js";
import { tameJson } from "../text/tame.js";
import { visibleJson } from "../text/visible.js";
import type { PlanReport } from "./report.js";

/** A plan for a program: `schemas/report.json`, with every member always present. */
export function renderPlanJson(report: PlanReport): string {
  const steps = report.steps.map((step) => ({ ...step, diagnostics: step.diagnostics.map(whole) }));
  return `${tameJson(visibleJson({ ...report, steps, diagnostics: report.diagnostics.map(whole) }))}\n`;
}
