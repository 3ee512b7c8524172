import { type FailureReport, sentenceOf } from "../../failure/report.js";
import type { OutcomeReport } from "../../outcome/report.js";
import { verdictOf } from "../../outcome/verdict.js";
import { bytesOf } from "../../text/budget.js";
import { inline, prose } from "../../text/escape.js";
import { many } from "../../text/layout.js";
import { factsOf } from "../../view/facts.js";
import { attentionOf } from "../../view/view.js";
import { listOf } from "../markdown/diagnostics.js";
import { factsLine } from "../markdown/facts.js";
import { renderOutcomeMarkdown } from "../markdown/outcome.js";
import type { MarkdownOptions } from "../markdown/plan.js";
import { type PlanInComment, renderPlanInComment } from "./plan.js";

/** An outcome, and what the comment calls it. */
export interface OutcomeInComment {
  readonly name: string;
  readonly report: OutcomeReport;
  readonly linkBase: MarkdownOptions["linkBase"];
}

/** What one comment shows. */
export type InComment =
  | ({ readonly as: "plan" } & PlanInComment)
  | ({ readonly as: "outcome" } & OutcomeInComment)
  | ({ readonly as: "failure" } & FailureInComment);

/** The room that each part keeps, however large the others are. Where there is less, a part may be one line. */
const LEAST = 1500;
/** The room for what says how many parts are left out. */
const NOTICE = 150;

/**
 * A comment on a pull request within so many bytes: what needs attention first, each project and tenant under its heading.
 * Every forge reads it as its own Markdown; no text in it becomes mark-up, a mention or a command.
 */
export function renderComment(parts: readonly InComment[], maxBytes: number): string {
  const sorted = parts.toSorted(
    (one, other) => attention(other) - attention(one) || (one.name < other.name ? -1 : 1),
  );
  const lines = sorted.map((part) => `- ${inline(`${part.name}: ${summaryOf(part)}`)}`);
  const texts: string[] = [];
  let left = maxBytes - NOTICE;
  let ofOthers = lines.reduce((sum, line) => sum + sizeOf(line), 0);
  for (const [place, part] of sorted.entries()) {
    const line = lines[place] ?? "";
    ofOthers -= sizeOf(line);
    const others = sorted.length - place - 1;
    // A part that does not need attention leaves a line to each of the others.
    const least = Math.min(LEAST, attention(part) === 2 ? left : left - ofOthers);
    const room = Math.max(least, left - others * LEAST);
    const whole = room < LEAST / 3 ? line : rendered(part, room).trim();
    const text = sizeOf(whole) <= room ? whole : line;
    if (sizeOf(text) > left) continue;
    texts.push(text);
    left -= sizeOf(text);
  }
  const lost = sorted.length - texts.length;
  const more = `… and ${many(lost, "more plan")}: the comment is full. The status of each has its effect and its counts.`;
  return `${[...texts, ...(lost === 0 ? [] : [more])].join("\n\n")}\n`;
}

function sizeOf(text: string): number {
  return bytesOf(text) + 2;
}

/** What a part comes to, in a few words. */
function summaryOf(part: InComment): string {
  switch (part.as) {
    case "plan":
      return part.view.lastLine;
    case "outcome":
      return verdictOf(part.report).text;
    case "failure":
      return sentenceOf(part.report);
    default:
      return part satisfies never;
  }
}

/** How much a part needs a reader: a failed run, an open guard or a blocked step first, then what changes something. */
function attention(part: InComment): number {
  if (part.as === "failure") return 2;
  if (part.as === "plan") return attentionOf(part.view);
  return verdictOf(part.report).role === "error" ? 2 : 1;
}

function rendered(part: InComment, maxBytes: number): string {
  if (part.as === "plan") return renderPlanInComment(part, maxBytes);
  if (part.as === "failure") return renderFailureInComment(part, maxBytes);
  const head = `### ${inline(part.name)}\n\n`;
  return `${head}${renderOutcomeMarkdown(part.report, { maxBytes: maxBytes - bytesOf(head), linkBase: part.linkBase })}`;
}

/** A run without a result, and what the comment calls it. */
interface FailureInComment {
  /** `PROJECT@TENANT`. */
  readonly name: string;
  readonly report: FailureReport;
  /** The address that the path of a file is added to; null for no links. */
  readonly linkBase: string | null;
  /** The page of the run; null where the pipeline names none. */
  readonly run: string | null;
}

/** A failed run within so many bytes: that it failed, where the log is, and why. */
function renderFailureInComment({ name, report, linkBase, run }: FailureInComment, maxBytes: number): string {
  const facts = factsLine(factsOf(report), ...(run === null ? [] : [`the run: ${run}`]));
  const head = [
    `### ${inline(name)}`,
    `**${prose(sentenceOf(report))}**`,
    ...(facts === "" ? [] : [facts]),
  ].join("\n\n");
  const list = listOf(report.diagnostics, { maxBytes, linkBase }, bytesOf(head));
  return `${[head, ...list].join("\n\n")}\n`;
}
