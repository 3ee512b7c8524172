import { visibleJson } from "./findings/visible.js";
import type { Report } from "./report.js";

/** A plan for a program: `schemas/report.json`, every member always there. */
export function renderJson(report: Report): string {
  return `${visibleJson(report)}\n`;
}
