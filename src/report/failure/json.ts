import { whole } from "../diagnostics/whole.js";
import { tameJson } from "../text/tame.js";
import { visibleJson } from "../text/visible.js";
import type { FailureReport } from "./report.js";

/** A run without a result for a program: `schemas/failure.json`, with every member always present. */
export function renderFailureJson(report: FailureReport): string {
  return `${tameJson(visibleJson({ ...report, diagnostics: report.diagnostics.map(whole) }))}\n`;
}
