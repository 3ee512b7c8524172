import { formatLine } from "../../../model/diagnostic.js";
import { type FailureReport, sentenceOf } from "../../failure/report.js";
import type { OutcomeReport, StepOutcome } from "../../outcome/report.js";
import { listedSteps, OUTCOMES, verdictOf, wordOf } from "../../outcome/verdict.js";
import { ofRank } from "../../statement.js";
import { bytesOf, firstFitting } from "../../text/budget.js";
import { code, inline, link, prose } from "../../text/escape.js";
import { factsOf } from "../../view/facts.js";
import { type DiagnosticsMarkdownOptions, leftOut, listOf } from "./diagnostics.js";
import { factsLine } from "./facts.js";
import { type MarkdownOptions, PLAN_MARKER } from "./plan.js";
import { itemsOf, loudOf } from "./statements.js";

/** The first line of every outcome in Markdown. A bot finds its earlier comment by it. */
const OUTCOME_MARKER = "<!-- remit:apply -->";

const TABLE = "| | resource | what |\n|---|---|---|";

// The room for a line about what is left out.
const NOTICE = 200;

/** The result of an apply for a pull request; within a budget, failures are kept longest. */
export function renderOutcomeMarkdown(
  report: OutcomeReport,
  { maxBytes, linkBase }: MarkdownOptions,
): string {
  const head = headOf(report);
  const closing = itemsOf(ofRank(report.statements, "end", "detail")).join("\n");
  const rows = listedSteps(report).map((step) => rowOf(step, linkBase));
  const fixed = [head, TABLE, closing].reduce((sum, text) => sum + bytesOf(text) + 2, NOTICE);
  const all = rows.reduce((sum, text) => sum + bytesOf(text) + 1, fixed);
  const shown = firstFitting(rows, maxBytes === null || all <= maxBytes ? null : maxBytes - fixed);
  const blocks = [
    head,
    ...(shown.length === 0 ? [] : [[TABLE, ...shown].join("\n")]),
    ...leftOut(rows.length - shown.length, "step", maxBytes),
    ...(closing === "" ? [] : [closing]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function headOf(report: OutcomeReport): string {
  const { effect, statements } = report;
  const parts = [`**${inline(verdictOf(report).text)}**`, factsLine(factsOf(report))];
  const head = `${OUTCOME_MARKER}\n${parts.join(" ")}<br>${code(effect)}`;
  return [head, ...loudOf(ofRank(statements, "top"))].join("\n\n");
}

function rowOf(step: StepOutcome, linkBase: string | null): string {
  const { address, action, outcome, title, place, diagnostics } = step;
  const name = place === null ? code(address) : link(code(address), place, linkBase);
  const where = place === null || linkBase !== null ? "" : ` ${code(formatLine(place))}`;
  const about = [action, ...(title === "" ? [] : [code(title)])].join(" · ");
  const said = diagnostics.map(
    ({ code: name, message, hint }) =>
      `<br>${code(name)} ${prose(message)}${hint === undefined ? "" : `<br>→ ${prose(hint)}`}`,
  );
  return `| ${OUTCOMES[outcome].sign} ${wordOf(step)} | ${name}${where} | ${about}${said.join("")} |`;
}

/** A run without a result for a pull request, under the marker of the result that it has instead; errors first. */
export function renderFailureMarkdown(report: FailureReport, options: DiagnosticsMarkdownOptions): string {
  const marker = report.command === "plan" ? PLAN_MARKER : OUTCOME_MARKER;
  const head = `${marker}\n**${prose(sentenceOf(report))}**`;
  return `${[head, ...listOf(report.diagnostics, options, bytesOf(head))].join("\n\n")}\n`;
}
