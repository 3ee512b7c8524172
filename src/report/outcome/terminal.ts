import type { Outcome } from "../../apply/event.js";
import { renderNote } from "../diagnostics/below.js";
import { beside, many, usable, wrap } from "../text/layout.js";
import type { Page } from "../text/page.js";
import type { Paint } from "../text/paint.js";
import { tame } from "../text/tame.js";
import type { OutcomeReport, StepOutcome } from "./report.js";
import { costOf, OUTCOMES, verdictOf } from "./verdict.js";

const WORD = Math.max(...Object.keys(OUTCOMES).map((outcome) => outcome.length));
const INDENT = "  ";
// Failures are shown one and all; of the rest a few tell enough.
const MOST: Readonly<Record<Outcome, number>> = {
  uncertain: Number.POSITIVE_INFINITY,
  failed: Number.POSITIVE_INFINITY,
  refused: 20,
  skipped: 10,
  left: 5,
  done: 10,
};

/** What an apply came to, for a person at a terminal: who needs help first, what to do next, the counts last. */
export function renderOutcomeText(
  report: OutcomeReport,
  { columns, paint }: { readonly columns: number; readonly paint: Paint },
): string {
  const page: Page = { columns: usable(columns), paint };
  const outcomes = Object.keys(OUTCOMES) as readonly Outcome[];
  const sections = [
    ...outcomes.flatMap((outcome) => stepsOf(report.steps, outcome, page)),
    ...(report.fault === null ? [] : [renderNote(report.fault, page)]),
    closingOf(report, page),
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function stepsOf(
  steps: readonly StepOutcome[],
  outcome: Outcome,
  page: Page,
): readonly (readonly string[])[] {
  const its = steps.filter((step) => step.outcome === outcome);
  const shown = its.slice(0, MOST[outcome]);
  const more = its.length - shown.length;
  const folded = page.paint("frame", `… and ${many(more, "step")} more ${outcome}`);
  return [...shown.map((step) => renderStep(step, page)), ...(more === 0 ? [] : [[`${INDENT}${folded}`]])];
}

function renderStep(step: StepOutcome, page: Page): readonly string[] {
  const { columns, paint } = page;
  const { sign, role } = OUTCOMES[step.outcome];
  const place = step.place === null ? "" : paint("frame", tame(`${step.place.file}:${step.place.line}`));
  const mark = `${paint(role, `${sign} ${step.outcome.padEnd(WORD)}`)} `;
  const about = [step.action, tame(step.title)].filter((part) => part !== "").join(" · ");
  return [
    ...beside(paint("strong", tame(step.address)), place, columns, mark, " ".repeat(WORD + 3)),
    ...wrap(paint("frame", about), columns, INDENT),
    ...step.diagnostics.flatMap((diagnostic) => renderNote(diagnostic, page)),
  ];
}

function closingOf(report: OutcomeReport, { columns, paint }: Page): readonly string[] {
  const row = (label: string, text: string) =>
    wrap(text, columns, paint("frame", `${label} `.padEnd(6)), " ".repeat(6));
  const { text, role } = verdictOf(report);
  return [
    ...row("cost", costOf(report)),
    ...report.next.flatMap((sentence) => row("next", tame(sentence))),
    ...wrap(paint("strong", paint(role, tame(text))), columns, "", INDENT),
  ];
}
