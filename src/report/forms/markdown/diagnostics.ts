import { byPlace, type Diagnostic, lineAt } from "../../../model/diagnostic.js";
import { count, formatCounts } from "../../diagnostics/counts.js";
import { bytesOf, firstFitting } from "../../text/budget.js";
import { code, placeLink, prose } from "../../text/escape.js";
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
    .map((diagnostic) => itemOf(diagnostic, linkBase));
  const shown = firstFitting(items, maxBytes === null ? null : maxBytes - taken - NOTICE);
  return [
    ...(shown.length === 0 ? [] : [shown.join("\n")]),
    ...leftOut(items.length - shown.length, "diagnostic", maxBytes),
  ];
}

/** How many of a list have no room; nothing where all have. */
export function leftOut(count: number, noun: string, maxBytes: number | null): readonly string[] {
  return count === 0 ? [] : [`… and ${many(count, noun)} more, left out to stay within ${maxBytes} bytes.`];
}

function itemOf({ severity, code: name, message, hint, span }: Diagnostic, linkBase: string | null): string {
  const place = lineAt(span);
  const where = place === null ? "" : ` ${placeLink(place, linkBase)}`;
  const next = hint === undefined ? "" : `\n  - ${prose(hint)}`;
  return `- **${severity}** ${code(name)}${where}: ${prose(message)}${next}`;
}
