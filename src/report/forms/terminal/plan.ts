import { besideOf, type Statement, sentencesOf } from "../../statement.js";
import { bound, many, usable, wrap, wrapValue } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { withNames } from "../../text/paint.js";
import { tame } from "../../text/visible.js";
import { type Block, countedIn } from "../../view/blocks.js";
import { plainFact } from "../../view/facts.js";
import type { GuardsView } from "../../view/guards.js";
import { LEGEND } from "../../view/signs.js";
import { peopleOf, placeOf, type StepView } from "../../view/step.js";
import { type PlanVerdict, verdictLine } from "../../view/verdict.js";
import type { PlanPart, View } from "../../view/view.js";
import { renderBars } from "../bars.js";
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
export function renderPlanText(view: View, options: TextOptions): string {
  const { part } = options;
  const { changes, guards, before, after } = view;
  const page = pageOf(changes.all, options);
  const isQuiet = [changes.all, guards.findings, before, after].every((list) => list.length === 0);
  const legend = options.legend && !isQuiet && part !== "rest" ? [legendOf(page)] : [];
  const steps = isQuiet || part === "rest" ? [] : changesOf(view, page);
  const people = part === "rest" ? peopleSection(view, page) : [];
  const rest = isQuiet ? [] : [...people, ...guardsOf(guards, page), ...sectionsOf(after, MOST, page)];
  const closing = closingOf(view, page, isQuiet, options.verbose).join("\n");
  const blocks =
    part === "steps" ? spaced([...steps, ...legend]) : [...spaced([...steps, ...rest, ...legend]), closing];
  return `${blocks.join("\n")}\n`;
}

/** The page of a plan: the places of its steps begin in one column. */
function pageOf(blocks: readonly Block[], { columns, paint }: Page): PlacedPage {
  const texts = blocks.flatMap(linesIn).map((step) => [step.name, placeOf(step)] as const);
  return placedPage({ columns: usable(columns), paint }, texts, UNDER_MARK.length);
}

/** The steps of a block that have a line with a place. */
function linesIn(block: Block): readonly StepView[] {
  return block.as === "step" ? [block.face] : block.as === "rows" ? block.shapes : block.all;
}

function spaced(sections: readonly Section[]): readonly string[] {
  return sections.map((lines) => `${lines.join("\n")}\n`);
}

/** What the steps that are printed already mean for people. */
function peopleSection({ changes, loud, besideFigures, spread }: View, page: PlacedPage): readonly Section[] {
  const lines = countedIn(changes.all).flatMap((step) => [
    ...besidePlace(tame(step.name), placeOf(step), page, "  "),
    ...renderPeople(peopleOf(step), page),
  ]);
  const totals = loud.filter((one) => !besideFigures.includes(one)).flatMap((one) => sentence(one, page));
  const pictures = barsSection(spread, page);
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

function changesOf(view: View, page: PlacedPage): readonly Section[] {
  const { verdict, loud, spread, before, changes } = view;
  return [
    [
      ...verdictOf(verdict, page),
      ...wrap(headOf(view, page), page.columns, "", "     "),
      ...loud.flatMap((one) => sentence(one, page)),
    ],
    ...barsSection(spread, page),
    ...sectionsOf(before, MOST_SETTINGS, page),
    ...changes.meant.map((block) => blockOf(block, page)),
    ...(changes.drifted.length === 0
      ? []
      : [title(changes.driftTitle, page), ...changes.drifted.map((block) => blockOf(block, page))]),
  ];
}

/** Who gains and who loses, as bars, by the attribute that says most. */
function barsSection(spread: View["spread"], page: PlacedPage): readonly Section[] {
  const lines = renderBars(spread, page);
  return lines.length === 0 ? [] : [lines];
}

const ROLES = {
  Blocked: "error",
  "Needs a look": "warning",
  Routine: "added",
  "Nothing to do": "added",
} as const;

/** The verdict, unless the last line says it: that there is nothing to do. */
function verdictOf(one: PlanVerdict, { columns, paint }: Page): Section {
  if (one.word === "Nothing to do") return [];
  const line = tame(verdictLine(one));
  const rest = line.slice(one.word.length);
  return wrap(`${paint("strong", paint(ROLES[one.word], one.word))}${rest}`, columns, "", "  ");
}

/** Statements, each as a title with its objects below it. */
function sectionsOf(statements: readonly Statement[], most: number, page: PlacedPage): readonly Section[] {
  return statements.map(({ text, count, objects }) => [
    ...title(withNames(tame(text), page.paint), page),
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
  return sentencesOf(one).flatMap((text) =>
    wrap(paint(role, withNames(tame(text), paint)), columns, "", "  "),
  );
}

function headOf({ facts }: View, { paint }: Page): string {
  const shown = facts.map((fact) => tame(plainFact(fact))).join(" · ");
  return `${paint("strong", "Plan")} ${paint("frame", `for ${shown}`)}`;
}

function blockOf(block: Block, page: PlacedPage): Section {
  switch (block.as) {
    case "step":
      return renderStep(block.face, page, block.needing);
    case "rows":
      return renderRows(block, page);
    case "alike":
      return renderRecords(block, page);
    default:
      return block satisfies never;
  }
}

function title(text: string, { columns, paint }: Page): Section {
  return wrap(paint("strong", text), columns, "");
}

function guardsOf({ heading, findings, answers, flags }: GuardsView, page: PlacedPage): readonly Section[] {
  if (findings.length === 0) return [];
  const { columns, paint } = page;
  const lines = findings.slice(0, MOST).flatMap(({ guard, address, message, isOpen, answer }) => {
    const mark = paint(isOpen ? "error" : "note", `${isOpen ? "!" : "✓"} ${tame(guard)}`);
    const about =
      address === null
        ? withNames(tame(message), paint)
        : `${tame(address)}: ${withNames(tame(message), paint)}`;
    return [
      ...wrap(`${mark} ${about}`, columns, "  ", "    "),
      ...(answer === null
        ? []
        : wrap(withNames(tame(answer), paint), columns, `    ${paint("frame", "=")} `, "      ")),
    ];
  });
  const paste = [
    ...wrap(paint("frame", "To acknowledge, write in remit.yaml:"), columns, "  "),
    ...answers.flatMap((line) => wrapValue(tame(line), columns, "")),
    ...wrap(paint("frame", `or for one apply: ${tame(flags)}`), columns, "  ", "    "),
  ];
  return [
    [
      ...title(heading, page),
      ...lines,
      ...moreThan(findings.length, "guard", page),
      ...(answers.length === 0 ? [] : paste),
    ],
  ];
}

/** How many are not shown. */
function moreThan(count: number, one: string, { paint }: Page, most = MOST): Section {
  return count <= most ? [] : [`    ${paint("frame", `… and ${many(count - most, one)} more`)}`];
}

/** What the plan says at its end, and on the last line the counts; what stood in the head, where a quiet plan has none. */
function closingOf(view: View, page: PlacedPage, isQuiet: boolean, isVerbose: boolean): Section {
  const { columns, paint } = page;
  const about = view.about.filter(({ rank }) => isVerbose || rank === "end");
  const said = [...(isQuiet ? view.loud : []), ...about].flatMap((one) =>
    sentencesOf(one).map((text) => {
      const shown = withNames(tame(text), paint);
      return one.severity === "note" ? paint("frame", shown) : shown;
    }),
  );
  return [...said, paint("strong", view.lastLine)].flatMap((text) => wrap(text, columns, "", "  "));
}
