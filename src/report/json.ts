import { visibleJson } from "./findings/visible.js";
import type { Report } from "./report.js";
import { tameJson } from "./tame.js";
import { whole } from "./whole.js";

/** A plan for a program: `schemas/report.json`, every member always there. */
export function renderJson(report: Report): string {
  const steps = report.steps.map((step) => ({ ...step, notes: step.notes.map(whole) }));
  return `${tameJson(visibleJson({ ...report, steps }))}\n`;
}
