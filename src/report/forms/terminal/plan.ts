import type { Severity } from "../../../model/diagnostic.js";
import { moreOf } from "../../../words/more.js";
import { besideOf, type Statement, sentencesOf } from "../../statement.js";
import { bound, usable, wrap, wrapValue } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { withNames } from "../../text/paint.js";
import { tame } from "../../text/visible.js";
import type { Block } from "../../view/blocks.js";
import { plainFact } from "../../view/facts.js";
import { saidOf } from "../../view/figures.js";
import type { GuardsView } from "../../view/guards.js";
import type { SectionName } from "../../view/sections.js";
import { LEGEND } from "../../view/signs.js";
import { peopleOf, placeOf, type StepView } from "../../view/step.js";
import { type PlanVerdict, verdictLine } from "../../view/verdict.js";
import type { View } from "../../view/view.js";
import { renderBars } from "../bars.js";
import { UNDER_MARK } from "./mark.js";
import { besidePlace, type PlacedPage, placedPage } from "./place.js";
import { renderRecords, renderRows } from "./rows.js";
import { renderPeople, renderStep } from "./step.js";

/** What a plan in a terminal needs to know. */
type TextOptions = Page & {
  readonly verbose: boolean;
  readonly legend: boolean;
};

/** Lines that stand together; an empty line follows them. */
type Lines = readonly string[];

/** A plan for a person at a terminal: the riskiest steps first, drift separate from intended changes, the counts last. */
export function renderPlanText(view: View, options: TextOptions): string {
  const { sections, isQuiet } = view;
  const page = pageOf(view, options);
  const shown = isQuiet ? sections.filter((name) => OF_QUIET.has(name)) : sections;
  const print = (name: SectionName) => PRINTED[name](view, page, options);
  const head = shown
    .filter((name) => HEAD.has(name))
    .flatMap(print)
    .flat();
  const others = shown
    .filter((name) => !HEAD.has(name))
    .flatMap((name) => print(name).map((lines) => (name === "about" ? lines : [...lines, ""])));
  const gap = head.length === 0 || isQuiet ? [] : [""];
  return [...head, ...gap, ...others.flat()].map((line) => `${line}\n`).join("");
}

/** What stands together above everything else. */
const HEAD: ReadonlySet<SectionName> = new Set<SectionName>([
  "verdict",
  "facts",
  "figures",
  "counted",
  "loud",
]);

/** What of a plan is printed that has nothing to show. */
const OF_QUIET: ReadonlySet<SectionName> = new Set<SectionName>(["counted", "loud", "about"]);

type Print = (view: View, page: PlacedPage, options: TextOptions) => readonly Lines[];

const PRINTED: Readonly<Record<SectionName, Print>> = {
  verdict: ({ verdict }, page) => [verdictOf(verdict, page)],
  facts: ({ facts }, page) => [wrap(factsOf(facts, page), page.columns, "", "     ")],
  figures: ({ figures }, page) => saidOf(figures).map((text) => loudLines(text, "note", page)),
  counted: ({ counted }, page) => counted.map((one) => sentence(one, page)),
  loud: ({ loud }, page) => loud.map((one) => sentence(one, page)),
  people: peopleOfSteps,
  spread: ({ spread }, page) => barsSection(spread, page),
  reviews: () => [],
  groups: () => [],
  before: ({ before }, page) => statedIn(before, MOST_SETTINGS, page),
  guards: ({ guards }, page) => guardsOf(guards, page),
  meant: ({ changes }, page) => changes.meant.map((block) => blockOf(block, page)),
  drifted: ({ changes: { drifted, driftTitle } }, page) =>
    drifted.length === 0 ? [] : [title(driftTitle, page), ...drifted.map((block) => blockOf(block, page))],
  earlier: () => [],
  after: ({ after }, page) => statedIn(after, MOST, page),
  legend: (_view, page, { legend }) => (legend ? [legendOf(page)] : []),
  about: (view, page, { verbose }) => [closingOf(view, page, verbose)],
};

/** The page of a plan: the places of its steps begin in one column. */
function pageOf({ changes, people }: View, { columns, paint }: Page): PlacedPage {
  const steps = [...changes.all.flatMap(linesIn), ...people];
  const texts = steps.map((step) => [step.name, placeOf(step)] as const);
  return placedPage({ columns: usable(columns), paint }, texts, UNDER_MARK.length);
}

/** The steps of a block that have a line with a place. */
function linesIn(block: Block): readonly StepView[] {
  return block.as === "step" ? [block.face] : block.as === "rows" ? block.shapes : block.all;
}

/** What the steps that are printed already mean for people. */
function peopleOfSteps({ people }: View, page: PlacedPage): readonly Lines[] {
  if (people.length === 0) return [];
  const lines = people.flatMap((step) => [
    ...besidePlace(tame(step.name), placeOf(step), page, "  "),
    ...renderPeople(peopleOf(step), page),
  ]);
  return [[...title("What this means for people", page), ...lines]];
}

// The most findings and objects that are shown.
const MOST = 20;
// Of the settings, more: a reviewer decides on each of them.
const MOST_SETTINGS = 200;

function legendOf({ columns, paint }: Page): Lines {
  // A line does not end between a symbol and its meaning.
  const text = LEGEND.replace(/[^\w\s] (?=\w)(?<![:,;] )/g, bound);
  return wrap(paint("frame", text), columns, "", "  ");
}

/** Who gains and who loses, as bars, by the attribute that says most. */
function barsSection(spread: View["spread"], page: PlacedPage): readonly Lines[] {
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
function verdictOf(one: PlanVerdict, { columns, paint }: Page): Lines {
  if (one.word === "Nothing to do") return [];
  const line = tame(verdictLine(one));
  const rest = line.slice(one.word.length);
  return wrap(`${paint("strong", paint(ROLES[one.word], one.word))}${rest}`, columns, "", "  ");
}

/** Statements, each as a title with its objects below it. */
function statedIn(statements: readonly Statement[], most: number, page: PlacedPage): readonly Lines[] {
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

/** A statement in its sentences. */
function sentence(one: Statement, page: PlacedPage): Lines {
  return sentencesOf(one).flatMap((text) => loudLines(text, one.severity, page));
}

/** What a reader must not miss has its colour. */
function loudLines(text: string, severity: Severity, { columns, paint }: Page): Lines {
  const role = severity === "warning" ? "warning" : "strong";
  return wrap(paint(role, withNames(tame(text), paint)), columns, "", "  ");
}

function factsOf(facts: View["facts"], { paint }: Page): string {
  const shown = facts.map((fact) => tame(plainFact(fact))).join(" · ");
  return `${paint("strong", "Plan")} ${paint("frame", `for ${shown}`)}`;
}

function blockOf(block: Block, page: PlacedPage): Lines {
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

function title(text: string, { columns, paint }: Page): Lines {
  return wrap(paint("strong", text), columns, "");
}

function guardsOf({ heading, findings, answers, flags }: GuardsView, page: PlacedPage): readonly Lines[] {
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
function moreThan(count: number, one: string, { paint }: Page, most = MOST): Lines {
  const left = count - most;
  return moreOf(left, `${left === 1 ? one : `${one}s`} more`).map((text) => `    ${paint("frame", text)}`);
}

/** What the plan says at its end, and on the last line the counts. */
function closingOf(view: View, { columns, paint }: Page, isVerbose: boolean): Lines {
  const about = view.about.filter(({ rank }) => isVerbose || rank === "end");
  const said = about.flatMap((one) =>
    sentencesOf(one).map((text) => {
      const shown = withNames(tame(text), paint);
      return one.severity === "note" ? paint("frame", shown) : shown;
    }),
  );
  return [...said, paint("strong", view.lastLine)].flatMap((text) => wrap(text, columns, "", "  "));
}
