import { visibleJson } from "../findings/visible.js";
import type { OutcomeReport } from "../outcome.js";
import { tameJson } from "../tame.js";

/** What an apply came to, for a program: `schemas/outcome.json`, every member always there. */
export function renderOutcomeJson(report: OutcomeReport): string {
  return `${tameJson(visibleJson(report))}\n`;
}
