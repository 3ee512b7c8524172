import type { Outcome } from "../../../apply/event.js";
import { formatLine } from "../../../model/diagnostic.js";
import { type FailureReport, sentenceOf } from "../../failure/report.js";
import type { OutcomeReport, StepOutcome } from "../../outcome/report.js";
import { listedSteps, OUTCOMES, verdictOf, WIDEST, whatWasDone, wordOf } from "../../outcome/verdict.js";
import { ofRank, type Rank, sentencesOf } from "../../statement.js";
import { many, usable, wrap } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { type Paint, withNames } from "../../text/paint.js";
import { tame } from "../../text/visible.js";
import { renderBelow } from "./below.js";
import { toText } from "./diagnostics.js";
import { besidePlace, type PlacedPage, placedPage } from "./place.js";

const INDENT = "  ";

// All failures are shown; of the rest a few are enough.
const MOST: Readonly<Record<Outcome, number>> = {
  uncertain: Number.POSITIVE_INFINITY,
  failed: Number.POSITIVE_INFINITY,
  refused: 20,
  skipped: 10,
  left: 10,
  done: 10,
};

// Of the steps that went as planned, so many are named; `-v` names all.
const MOST_DONE = 100;

/** The result of an apply for a person at a terminal: failures first, then what to do next, the counts last. */
export function renderOutcomeText(
  report: OutcomeReport,
  { columns, paint, verbose }: { readonly columns: number; readonly paint: Paint; readonly verbose: boolean },
): string {
  const steps = listedSteps(report);
  const texts = steps.map((step) => [step.address, placeOf(step)] as const);
  const page = placedPage({ columns: usable(columns), paint }, texts, WIDEST + 3);
  const outcomes = Object.keys(OUTCOMES) as readonly Outcome[];
  const sections = [
    doneOf(steps, page, verbose),
    ...outcomes.flatMap((outcome) => stepsOf(steps, outcome, page)),
    said(report, ["top"], page),
    [...said(report, verbose ? ["end", "detail"] : ["end"], page), ...verdict(report, page)],
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

/** A line for each step that was done and of which there is nothing more to say; one for all that were only recorded. */
function doneOf(steps: readonly StepOutcome[], page: PlacedPage, verbose: boolean): readonly string[] {
  const its = steps.filter(isDoneAsPlanned);
  const adopted = verbose ? [] : its.filter((step) => whatWasDone(step) === "adopt");
  const [first] = adopted.length > 1 ? adopted : [];
  const others = first === undefined ? its : its.filter((step) => !adopted.includes(step));
  const shown = verbose ? others : others.slice(0, MOST_DONE);
  const more = others.length - shown.length;
  return [
    ...shown.flatMap((step) => renderHead(step, page)),
    ...(first === undefined
      ? []
      : renderHead({ ...first, address: `${adopted.length} objects match: only recorded` }, page)),
    ...(more === 0
      ? []
      : [`${INDENT}${page.paint("frame", `… and ${many(more, "step")} more done (all with -v)`)}`]),
  ];
}

function isDoneAsPlanned({ outcome, diagnostics }: StepOutcome): boolean {
  return outcome === "done" && diagnostics.length === 0;
}

function stepsOf(
  steps: readonly StepOutcome[],
  outcome: Outcome,
  page: PlacedPage,
): readonly (readonly string[])[] {
  const its = steps.filter((step) => step.outcome === outcome && !isDoneAsPlanned(step));
  const shown = its.slice(0, MOST[outcome]);
  const more = its.length - shown.length;
  const folded = `… and ${many(more, "step")} more ${its.slice(-1).map(wordOf).join("")}`;
  return [
    ...shown.map((step) => renderStep(step, page)),
    ...(more === 0 ? [] : [[`${INDENT}${page.paint("frame", tame(folded))}`]]),
  ];
}

/** A reader looks for the place of what went wrong. */
function placeOf({ outcome, place }: StepOutcome): string {
  return outcome === "done" || place === null ? "" : formatLine(place);
}

function renderHead(step: StepOutcome, page: PlacedPage): readonly string[] {
  const { sign, role } = OUTCOMES[step.outcome];
  const mark = `${page.paint(role, `${sign} ${wordOf(step).padEnd(WIDEST)}`)} `;
  return besidePlace(
    page.paint("strong", tame(step.address)),
    placeOf(step),
    page,
    mark,
    " ".repeat(WIDEST + 3),
  );
}

function renderStep(step: StepOutcome, page: PlacedPage): readonly string[] {
  const { columns, paint } = page;
  const about = [step.action, tame(step.title)].filter((part) => part !== "").join(" · ");
  return [
    ...renderHead(step, page),
    ...wrap(paint("frame", about), columns, INDENT),
    ...step.diagnostics.flatMap((diagnostic) => renderBelow(diagnostic, page)),
  ];
}

function said(
  { statements }: OutcomeReport,
  ranks: readonly Rank[],
  { columns, paint }: Page,
): readonly string[] {
  return ofRank(statements, ...ranks).flatMap((one) =>
    sentencesOf(one).flatMap((text) =>
      wrap(
        one.severity === "error"
          ? paint("error", withNames(tame(text), paint))
          : withNames(tame(text), paint),
        columns,
        "",
        INDENT,
      ),
    ),
  );
}

function verdict(report: OutcomeReport, { columns, paint }: Page): readonly string[] {
  const { text, role } = verdictOf(report);
  const where = report.context === undefined ? "" : `Context ${report.context} · `;
  return wrap(paint("strong", paint(role, tame(`${where}${text}`))), columns, "", INDENT);
}

/** A run without a result, for a person at a terminal. */
export function renderFailureText(report: FailureReport, { columns, paint }: Page): string {
  const width = usable(columns);
  const end = wrap(paint("error", sentenceOf(report)), width, "", "  ").join("\n");
  return `${toText(report.diagnostics, { paint, columns: width })}${end}\n`;
}
