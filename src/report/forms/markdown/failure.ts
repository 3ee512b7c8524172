import { type FailureReport, sentenceOf } from "../../failure/report.js";
import { bytesOf } from "../../text/budget.js";
import { prose } from "../../text/escape.js";
import { type DiagnosticsMarkdownOptions, listOf } from "./diagnostics.js";
import { OUTCOME_MARKER } from "./outcome.js";
import { PLAN_MARKER } from "./plan.js";

/** A run without a result for a pull request, under the marker of the result that it has instead; errors first. */
export function renderFailureMarkdown(report: FailureReport, options: DiagnosticsMarkdownOptions): string {
  const marker = report.command === "plan" ? PLAN_MARKER : OUTCOME_MARKER;
  const head = `${marker}\n**${prose(sentenceOf(report))}**`;
  return `${[head, ...listOf(report.diagnostics, options, bytesOf(head))].join("\n\n")}\n`;
}
