import { renderOutcomeMarkdown } from "../outcome/markdown.js";
import type { OutcomeReport } from "../outcome/report.js";
import type { MarkdownOptions } from "../plan/markdown/render.js";
import { isProposed } from "../plan/settingWords.js";
import { bytesOf } from "../text/budget.js";
import { inline } from "../text/escape.js";
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
  | ({ readonly as: "outcome" } & OutcomeInComment);

/** The room that each plan keeps, however large the others are. */
const LEAST = 1500;

/**
 * A comment on a pull request within so many bytes: what needs attention first, each project and tenant under its heading.
 * Every forge reads it as its own Markdown; no text in it becomes mark-up, a mention or a command.
 */
export function renderComment(parts: readonly InComment[], maxBytes: number): string {
  const sorted = parts.toSorted(
    (one, other) => attention(other) - attention(one) || (one.name < other.name ? -1 : 1),
  );
  const texts: string[] = [];
  let left = maxBytes;
  for (const [place, part] of sorted.entries()) {
    const others = sorted.length - place - 1;
    const text = rendered(part, Math.max(LEAST, left - others * LEAST)).trim();
    texts.push(text);
    left -= bytesOf(text) + 2;
  }
  return `${texts.join("\n\n")}\n`;
}

/** How much a part needs a reader: an open guard or a blocked step first, then what changes something. */
export function attention(part: InComment): number {
  if (part.as === "outcome") {
    const { failed, refused, uncertain, skipped, left } = part.report.outcomes;
    return part.report.fault !== null || failed + refused + uncertain + skipped + left > 0 ? 2 : 1;
  }
  const { findings, steps, pending } = part.report;
  const isOpen = findings.some((one) => one.acknowledged === null && !isProposed(one));
  if (isOpen || steps.some(({ action }) => action === "blocked")) return 2;
  return pending ? 1 : 0;
}

function rendered(part: InComment, maxBytes: number): string {
  if (part.as === "plan") return renderPlanInComment(part, maxBytes);
  const head = `### ${inline(part.name)}\n\n`;
  return `${head}${renderOutcomeMarkdown(part.report, { maxBytes: maxBytes - bytesOf(head), linkBase: part.linkBase })}`;
}
