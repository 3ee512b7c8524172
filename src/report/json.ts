import { visibleJson } from "./findings/visible.js";
import type { Report } from "./report.js";
import { tameJson } from "./tame.js";

/** A plan for a program: `schemas/report.json`, every member always there. */
export function renderJson(report: Report): string {
  return `${tameJson(visibleJson(report))}\n`;
}
