import { byPlace, type Diagnostic } from "../../model/diagnostic.js";
import { OUTCOME_MARKER } from "../outcome/markdown.js";
import { type MarkdownOptions, PLAN_MARKER } from "../plan/markdown/render.js";
import { bytesOf, fitting, type Piece } from "../text/budget.js";
import { code, link, prose } from "../text/escape.js";
import { many } from "../text/layout.js";
import { type FailureReport, sentenceOf } from "./report.js";

// The room for a line about what is left out.
const NOTICE = 200;

const ORDER = { error: 0, warning: 1, note: 2 } as const;

/** A run without a result for a pull request, under the marker of the result that it has instead; errors first. */
export function renderFailureMarkdown(
  report: FailureReport,
  { maxBytes, linkBase }: MarkdownOptions,
): string {
  const marker = report.command === "plan" ? PLAN_MARKER : OUTCOME_MARKER;
  const head = `${marker}\n**${prose(sentenceOf(report))}**`;
  const items = [...report.diagnostics]
    .sort((one, other) => ORDER[one.severity] - ORDER[other.severity] || byPlace(one, other))
    .map((diagnostic): Piece => ({ rank: 0, isInOrder: true, text: itemOf(diagnostic, linkBase) }));
  const kept = fitting(items, maxBytes === null ? null : maxBytes - bytesOf(head) - NOTICE);
  const shown = items.filter((item) => kept.has(item)).map(({ text }) => text);
  const lost = items.length - shown.length;
  const blocks = [
    head,
    ...(shown.length === 0 ? [] : [shown.join("\n")]),
    ...(lost === 0
      ? []
      : [`… and ${many(lost, "diagnostic")} more, left out to stay within ${maxBytes} bytes.`]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function itemOf({ severity, code: name, message, hint, span }: Diagnostic, linkBase: string | null): string {
  const place = span === undefined ? null : { file: span.file, line: span.start.line };
  const where = place === null ? "" : ` ${link(code(`${place.file}:${place.line}`), place, linkBase)}`;
  const next = hint === undefined ? "" : `\n  - ${prose(hint)}`;
  return `- **${severity}** ${code(name)}${where}: ${prose(message)}${next}`;
}
