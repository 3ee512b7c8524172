import { type FailureReport, sentenceOf } from "../../failure/report.js";
import { bytesOf } from "../../text/budget.js";
import { code, inline, prose } from "../../text/escape.js";
import { listOf } from "../markdown/diagnostics.js";

/** A run without a result, and what the comment calls it. */
export interface FailureInComment {
  /** `PROJECT@TENANT`. */
  readonly name: string;
  readonly report: FailureReport;
  /** The address that the path of a file is added to; null for no links. */
  readonly linkBase: string | null;
  /** The page of the run; null where the pipeline names none. */
  readonly run: string | null;
}

/** A failed run within so many bytes: that it failed, where the log is, and why. */
export function renderFailureInComment(
  { name, report, linkBase, run }: FailureInComment,
  maxBytes: number,
): string {
  const { server, commit } = report;
  const facts = [
    ...(server === null ? [] : [code(server)]),
    ...(commit === null ? [] : [`commit ${code(commit.slice(0, 12))}`]),
    ...(run === null ? [] : [`the run: ${run}`]),
  ];
  const head = [
    `### ${inline(name)}`,
    `**${prose(sentenceOf(report))}**`,
    ...(facts.length === 0 ? [] : [facts.join(" · ")]),
  ].join("\n\n");
  const list = listOf(report.diagnostics, { maxBytes, linkBase }, bytesOf(head));
  return `${[head, ...list].join("\n\n")}\n`;
}
