import { byPlace, type Diagnostic } from "../../../model/diagnostic.js";
import { count, formatCounts } from "../../diagnostics/counts.js";
import { bytesOf, fitting, type Piece } from "../../text/budget.js";
import { code, link, prose } from "../../text/escape.js";
import { many } from "../../text/layout.js";

/** The options of a list of diagnostics in Markdown. */
export interface DiagnosticsMarkdownOptions {
  /** The most bytes of UTF-8; null means no limit. */
  readonly maxBytes: number | null;
  /** The web address to which a file's path is added for a link; null means no links. */
  readonly linkBase: string | null;
}

// The room for a line about what is left out.
const NOTICE = 200;

const ORDER = { error: 0, warning: 1, note: 2 } as const;

/** Diagnostics as Markdown, below their counts. */
export function toMarkdown(diagnostics: readonly Diagnostic[], options: DiagnosticsMarkdownOptions): string {
  const head = `**${prose(formatCounts(count(diagnostics)))}**`;
  return `${[head, ...listOf(diagnostics, options, bytesOf(head))].join("\n\n")}\n`;
}

/** A list of diagnostics, errors first, and how many have no room beside the bytes that are taken already. */
export function listOf(
  diagnostics: readonly Diagnostic[],
  { maxBytes, linkBase }: DiagnosticsMarkdownOptions,
  taken: number,
): readonly string[] {
  const items = [...diagnostics]
    .sort((one, other) => ORDER[one.severity] - ORDER[other.severity] || byPlace(one, other))
    .map((diagnostic): Piece => ({ rank: 0, isInOrder: true, text: itemOf(diagnostic, linkBase) }));
  const kept = fitting(items, maxBytes === null ? null : maxBytes - taken - NOTICE);
  const shown = items.filter((item) => kept.has(item)).map(({ text }) => text);
  const lost = items.length - shown.length;
  return [
    ...(shown.length === 0 ? [] : [shown.join("\n")]),
    ...(lost === 0
      ? []
      : [`… and ${many(lost, "diagnostic")} more, left out to stay within ${maxBytes} bytes.`]),
  ];
}

function itemOf({ severity, code: name, message, hint, span }: Diagnostic, linkBase: string | null): string {
  const place = span === undefined ? null : { file: span.file, line: span.start.line };
  const where = place === null ? "" : ` ${link(code(`${place.file}:${place.line}`), place, linkBase)}`;
  const next = hint === undefined ? "" : `\n  - ${prose(hint)}`;
  return `- **${severity}** ${code(name)}${where}: ${prose(message)}${next}`;
}
