import { DENIED } from "../../../plan/guards/own/ownGuard.js";
import type { PlanReport, StepReport } from "../../plan/report.js";
import { nameOf, placeOf } from "../../plan/words/labels.js";
import { answerFlags, answerLines, guardsHeading } from "../../plan/words/openGuards.js";
import { isProposed } from "../../plan/words/settings.js";
import { LEGEND } from "../../plan/words/signs.js";
import { acknowledgementOf, lastLine, sinceOf } from "../../plan/words/tally.js";
import { besideOf, ofRank, type Rank, type Statement, sentencesOf } from "../../statement.js";
import { bound, many, usable, wrap, wrapValue } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { tame } from "../../text/visible.js";
import { blocksOf } from "../../view/blocks.js";
import { driftOf, type PlanVerdict, verdictLine, verdictOfPlan } from "../../view/verdict.js";
import { renderBars } from "../bars.js";
import type { PlanPart } from "../part.js";
import { UNDER_MARK } from "./mark.js";
import { besidePlace, type PlacedPage, placedPage } from "./place.js";
import { renderRecords, renderRows } from "./rows.js";
import { renderPeople, renderStep } from "./step.js";

/** What a plan in a terminal needs to know. */
type TextOptions = Page & {
  readonly verbose: boolean;
  readonly legend: boolean;
  readonly part: PlanPart;
};

/** A plan for a person at a terminal: the riskiest steps first, drift separate from intended changes, the counts last. */
export function renderPlanText(report: PlanReport, options: TextOptions): string {
  const { verbose, part } = options;
  const page = pageOf(report, options);
  const isQuiet =
    report.steps.length === 0 &&
    report.findings.length === 0 &&
    ofRank(report.statements, "before", "after").length === 0;
  const legend = options.legend && !isQuiet && part !== "rest" ? [legendOf(page)] : [];
  const steps = isQuiet || part === "rest" ? [] : changes(report, page);
  const people = part === "rest" ? peopleSection(report, page) : [];
  const rest = isQuiet ? [] : [...people, ...guardsOf(report, page), ...sectionsOf(report, "after", page)];
  const closing = closingOf(report, page, [
    ...(isQuiet ? ["top" as const] : []),
    "end",
    ...(verbose ? ["detail" as const] : []),
  ]).join("\n");
  const blocks =
    part === "steps" ? spaced([...steps, ...legend]) : [...spaced([...steps, ...rest, ...legend]), closing];
  return `${blocks.join("\n")}\n`;
}

/** The page of a plan: the places of its steps begin in one column. */
function pageOf({ steps }: PlanReport, { columns, paint }: Page): PlacedPage {
  const texts = steps.map((step) => [nameOf(step), placeOf(step)] as const);
  return placedPage({ columns: usable(columns), paint }, texts, UNDER_MARK.length);
}

function spaced(sections: readonly Section[]): readonly string[] {
  return sections.map((lines) => `${lines.join("\n")}\n`);
}

/** What the steps that are printed already mean for people. */
function peopleSection(report: PlanReport, page: PlacedPage): readonly Section[] {
  const { steps, statements } = report;
  const lines = steps.flatMap((step) =>
    step.people === null
      ? []
      : [...besidePlace(tame(nameOf(step)), placeOf(step), page, "  "), ...renderPeople(step, page)],
  );
  const counted = statements.filter(({ code }) => code === "people/access" || code === "people/reviews");
  const totals = counted.flatMap((one) => sentence(one, page));
  const pictures = barsSection(report, page);
  return lines.length === 0
    ? pictures
    : [[...title("What this means for people", page), ...totals, ...lines], ...pictures];
}

// The most findings and objects that are shown.
const MOST = 20;
// Of the settings, more: a reviewer decides on each of them.
const MOST_SETTINGS = 200;

type Section = readonly string[];

function legendOf({ columns, paint }: Page): Section {
  // A line does not end between a symbol and its meaning.
  const text = LEGEND.replace(/[^\w\s] (?=\w)(?<![:,;] )/g, bound);
  return wrap(paint("frame", text), columns, "", "  ");
}

function changes(report: PlanReport, page: PlacedPage): readonly Section[] {
  const meant = report.steps.filter(({ isDrift }) => !isDrift);
  const drifted = report.steps.filter(({ isDrift }) => isDrift);
  return [
    [
      ...verdict(verdictOfPlan(report), page),
      ...wrap(headOf(report, page), page.columns, "", "     "),
      ...ofRank(report.statements, "top").flatMap((one) => sentence(one, page)),
    ],
    ...barsSection(report, page),
    ...sectionsOf(report, "before", page),
    ...stepsOf(meant, page),
    ...(drifted.length === 0 ? [] : [title(driftOf(report), page), ...stepsOf(drifted, page)]),
  ];
}

/** Who gains and who loses, as bars, by the attribute that says most. */
function barsSection({ people }: PlanReport, page: PlacedPage): readonly Section[] {
  const lines = renderBars(people?.spread ?? [], page);
  return lines.length === 0 ? [] : [lines];
}

const ROLES = {
  Blocked: "error",
  "Needs a look": "warning",
  Routine: "added",
  "Nothing to do": "added",
} as const;

/** The verdict, unless the last line says it: that there is nothing to do. */
function verdict(one: PlanVerdict, { columns, paint }: Page): Section {
  if (one.word === "Nothing to do") return [];
  const line = tame(verdictLine(one));
  const rest = line.slice(one.word.length);
  return wrap(`${paint("strong", paint(ROLES[one.word], one.word))}${rest}`, columns, "", "  ");
}

/** The statements of a rank, each as a title with its objects below it. */
function sectionsOf({ statements }: PlanReport, rank: Rank, page: PlacedPage): readonly Section[] {
  const most = rank === "before" ? MOST_SETTINGS : MOST;
  return ofRank(statements, rank).map(({ text, count, objects }) => [
    ...title(tame(text), page),
    ...objects
      .slice(0, most)
      .flatMap((object) => [
        ...besidePlace(tame(object.text), besideOf(object), page, "  ", "      "),
        ...object.lines.flatMap((line) => wrapValue(tame(line), page.columns, "      ")),
      ]),
    ...(objects.length === 0 ? [] : moreThan(count, "object", page, most)),
  ]);
}

/** A statement in its sentences; what a reader must not miss has its colour. */
function sentence(one: Statement, { columns, paint }: Page): Section {
  const role = one.severity === "warning" ? "warning" : "strong";
  return sentencesOf(one).flatMap((text) => wrap(paint(role, tame(text)), columns, "", "  "));
}

function headOf({ server, context, commit, since }: PlanReport, { paint }: Page): string {
  const parts = [
    ...(context === undefined ? [] : [`context ${tame(context)}`]),
    tame(server),
    ...(commit === null ? [] : [`commit ${tame(commit.slice(0, 12))}`]),
    ...(since === null ? [] : [tame(sinceOf(since))]),
  ];
  return `${paint("strong", "Plan")} ${paint("frame", `for ${parts.join(" · ")}`)}`;
}

function stepsOf(steps: readonly StepReport[], page: PlacedPage): readonly Section[] {
  return blocksOf(steps).map((block) => {
    switch (block.as) {
      case "step":
        return renderStep(block.step, page, block.needing);
      case "rows":
        return renderRows(block, page);
      case "alike":
        return renderRecords(block, page);
      default:
        return block satisfies never;
    }
  });
}

function title(text: string, { columns, paint }: Page): Section {
  return wrap(paint("strong", text), columns, "");
}

function guardsOf(report: PlanReport, page: PlacedPage): readonly Section[] {
  const findings = report.findings.filter((finding) => !isProposed(finding));
  if (findings.length === 0) return [];
  const lines = findings.slice(0, MOST).flatMap((finding) => {
    const { guard, address, message, flag } = finding;
    const answer = acknowledgementOf(finding);
    const role = answer === null ? "error" : "note";
    const mark = page.paint(role, `${answer === null ? "!" : "✓"} ${tame(guard)}`);
    const about = address === null ? tame(message) : `${tame(address)}: ${tame(message)}`;
    const said = answer ?? (flag === null ? DENIED : null);
    return [
      ...wrap(`${mark} ${about}`, page.columns, "  ", "    "),
      ...(said === null ? [] : wrap(tame(said), page.columns, `    ${page.paint("frame", "=")} `, "      ")),
    ];
  });
  return [
    [
      ...title(guardsHeading(report), page),
      ...lines,
      ...moreThan(findings.length, "guard", page),
      ...answers(report, page),
    ],
  ];
}

/** The answer to all open findings, once: what to paste, and what does the same for one apply. */
function answers(report: PlanReport, { columns, paint }: Page): Section {
  const lines = answerLines(report);
  if (lines.length === 0) return [];
  return [
    ...wrap(paint("frame", "To acknowledge, write in remit.yaml:"), columns, "  "),
    ...lines.flatMap((line) => wrapValue(tame(line), columns, "")),
    ...wrap(paint("frame", `or for one apply: ${tame(answerFlags(report))}`), columns, "  ", "    "),
  ];
}

/** How many are not shown. */
function moreThan(count: number, one: string, { paint }: Page, most = MOST): Section {
  return count <= most ? [] : [`    ${paint("frame", `… and ${many(count - most, one)} more`)}`];
}

/** What the plan says at its end, and on the last line the counts. */
function closingOf(report: PlanReport, page: PlacedPage, ranks: readonly Rank[]): Section {
  const { columns, paint } = page;
  const said = ofRank(report.statements, ...ranks).flatMap((one) =>
    sentencesOf(one).map((text) => (one.severity === "note" ? paint("frame", tame(text)) : tame(text))),
  );
  return [...said, paint("strong", lastLine(report))].flatMap((text) => wrap(text, columns, "", "  "));
}
