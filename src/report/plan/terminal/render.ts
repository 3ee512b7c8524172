import { beside, bound, many, usable, wrap, wrapValue } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import { tame } from "../../text/tame.js";
import { nameOf, placeOf } from "../labels.js";
import type { PlanPart } from "../part.js";
import { countingGaps } from "../people.js";
import type { PlanReport, StepReport } from "../report.js";
import { isProposed, type SettingGroup, settingGroups, sourceOf } from "../settingWords.js";
import { LEGEND } from "../signs.js";
import {
  acknowledgementOf,
  callsOf,
  decisionOf,
  exactFormOf,
  lastLine,
  noStateOf,
  notComparedOf,
  pendingOf,
  pendingSteps,
  rewrittenOf,
  sinceOf,
  undoesNothingOf,
  unseenOf,
  writtenUnseenOf,
} from "../tally.js";
import { unappliedOf } from "../unappliedWords.js";
import { ignoredSentence, nameOfUnmanaged, unmanagedSentences, unmanagedTitle } from "../unmanaged.js";
import { crowdsOf, renderCrowd } from "./crowd.js";
import { markOf, UNDER_MARK } from "./mark.js";
import { renderPeople, renderStep } from "./step.js";

/** What a plan in a terminal needs to know. */
type TextOptions = Page & {
  readonly verbose: boolean;
  readonly legend: boolean;
  readonly part: PlanPart;
};

/** A plan for a person at a terminal: the riskiest steps first, drift separate from intended changes, the counts last. */
export function renderPlanText(report: PlanReport, options: TextOptions): string {
  const { paint, verbose, part } = options;
  const page: Page = { columns: usable(options.columns), paint };
  const groups = settingGroups(report);
  const isQuiet =
    report.steps.length === 0 &&
    report.findings.length === 0 &&
    groups.length === 0 &&
    pendingOf(report) === null &&
    unmanagedTitle(report) === null;
  const legend = options.legend && !isQuiet && part !== "rest" ? [legendOf(page)] : [];
  const steps = isQuiet || part === "rest" ? [] : changes(report, groups, page);
  const people = part === "rest" ? peopleSection(report, page) : [];
  const rest = isQuiet
    ? []
    : [
        ...people,
        ...guardsOf(report, page),
        ...pendingSection(report, page),
        ...unmanagedSection(report, page),
      ];
  const closing = closingOf(report, page, verbose).join("\n");
  const blocks =
    part === "steps"
      ? blocksOf([...steps, ...legend])
      : [...blocksOf([...steps, ...rest, ...legend]), closing];
  return `${blocks.join("\n")}\n`;
}

function blocksOf(sections: readonly Section[]): readonly string[] {
  return sections.map((lines) => `${lines.join("\n")}\n`);
}

/** What the steps that are printed already mean for people. */
function peopleSection({ steps }: PlanReport, page: Page): readonly Section[] {
  const lines = steps.flatMap((step) =>
    step.people === null
      ? []
      : [
          ...beside(tame(nameOf(step)), page.paint("frame", tame(placeOf(step))), page.columns, "  "),
          ...renderPeople(step, page),
        ],
  );
  return lines.length === 0 ? [] : [[...title("What this means for people", page), ...lines]];
}

// The most findings, and reasons for what was not read, that are shown.
const MOST = 20;
// Of the settings, more: a reviewer decides on each of them.
const MOST_SETTINGS = 200;

type Section = readonly string[];

function legendOf({ columns, paint }: Page): Section {
  // A line does not end between a symbol and its meaning.
  const text = LEGEND.replace(/[^\w\s] (?=\w)(?<![:,;] )/g, bound);
  return wrap(paint("frame", text), columns, "", "  ");
}

function changes(report: PlanReport, groups: readonly SettingGroup[], page: Page): readonly Section[] {
  const meant = report.steps.filter(({ isDrift }) => !isDrift);
  const drifted = report.steps.filter(({ isDrift }) => isDrift);
  return [
    [
      ...wrap(headOf(report, page), page.columns, "", "     "),
      ...sourceLine(report, page),
      ...noState(report, page),
      ...undoesNothing(report, page),
    ],
    ...groups.map((group) => settingsOf(group, page)),
    ...stepsOf(meant, page),
    ...(drifted.length === 0 ? [] : [title(driftOf(report), page), ...stepsOf(drifted, page)]),
  ];
}

/** What is not managed, each with its rule or condition. */
function unmanagedSection(report: PlanReport, page: Page): readonly Section[] {
  const head = unmanagedTitle(report);
  if (head === null || report.unmanaged === null) return [];
  const lines = report.unmanaged.kinds.flatMap(({ kind, objects }) => [
    ...objects.slice(0, MOST).flatMap((object) => {
      const key = page.paint("frame", tame(object.key));
      return [
        ...beside(
          `${tame(kind)} ${page.paint("strong", tame(nameOfUnmanaged(object)))}`,
          key,
          page.columns,
          "  ",
        ),
        ...object.lines.flatMap((line) => wrapValue(tame(line), page.columns, "      ")),
      ];
    }),
    ...moreThan(objects.length, "object", page),
  ]);
  return [[...title(head, page), ...lines]];
}

/** What was pending without the change: a line for each object. */
function pendingSection(report: PlanReport, page: Page): readonly Section[] {
  const head = pendingOf(report);
  if (head === null) return [];
  const pending = pendingSteps(report);
  const lines = pending.slice(0, MOST).flatMap((step) => {
    const place = page.paint("frame", tame(placeOf(step)));
    const about = step.isDrift ? "drift" : step.reason;
    return [
      ...beside(tame(nameOf(step)), place, page.columns, markOf(step, page), UNDER_MARK),
      ...(about === "" ? [] : wrap(page.paint("frame", tame(about)), page.columns, "    ")),
    ];
  });
  return [[...title(head, page), ...lines, ...moreThan(pending.length, "object", page)]];
}

function headOf({ server, commit, since }: PlanReport, { paint }: Page): string {
  const parts = [
    tame(server),
    ...(commit === null ? [] : [`commit ${tame(commit.slice(0, 12))}`]),
    ...(since === null ? [] : [tame(sinceOf(since))]),
  ];
  return `${paint("strong", "Plan")} ${paint("frame", `for ${parts.join(" · ")}`)}`;
}

function sourceLine(report: PlanReport, { columns, paint }: Page): Section {
  const source = sourceOf(report);
  return source === null ? [] : wrap(paint("frame", tame(source)), columns, "", "  ");
}

function settingsOf({ title: head, lines }: SettingGroup, page: Page): Section {
  const shown = lines.slice(0, MOST_SETTINGS).flatMap(({ text, place }) => {
    const where = page.paint("frame", tame(place));
    return beside(tame(text), where, page.columns, "  ", "      ");
  });
  return [...title(head, page), ...shown, ...moreThan(lines.length, "setting", page, MOST_SETTINGS)];
}

function noState(report: PlanReport, { columns, paint }: Page): Section {
  const text = noStateOf(report);
  return text === null ? [] : wrap(paint("warning", text), columns, "", "  ");
}

function undoesNothing(report: PlanReport, { columns, paint }: Page): Section {
  const text = undoesNothingOf(report);
  return text === null ? [] : wrap(paint("warning", text), columns, "", "  ");
}

function driftOf({ refreshOnly }: PlanReport): string {
  const what = "Drift: the tenant was changed since the last apply";
  return refreshOnly ? `${what}. An apply records it and changes nothing.` : `${what}. An apply reverts it.`;
}

function stepsOf(steps: readonly StepReport[], page: Page): readonly Section[] {
  return crowdsOf(steps).map((crowd) => {
    const [step, ...others] = crowd;
    return step !== undefined && others.length === 0 ? renderStep(step, page) : renderCrowd(crowd, page);
  });
}

function title(text: string, { columns, paint }: Page): Section {
  return wrap(paint("strong", text), columns, "");
}

function guardsOf({ findings: all, isDecided }: PlanReport, page: Page): readonly Section[] {
  const findings = all.filter((finding) => !isProposed(finding));
  if (findings.length === 0) return [];
  const isOpen = findings.some(({ acknowledged }) => acknowledged === null);
  const lines = findings.slice(0, MOST).flatMap((finding) => {
    const { guard, address, message, flag } = finding;
    const answer = acknowledgementOf(finding);
    const exact = exactFormOf(finding);
    const role = answer === null ? "error" : "note";
    const mark = page.paint(role, `${answer === null ? "!" : "✓"} ${tame(guard)}`);
    const about = address === null ? tame(message) : `${tame(address)}: ${tame(message)}`;
    const line = (text: string) => wrap(text, page.columns, `    ${page.paint("frame", "=")} `, "      ");
    return [
      ...wrap(`${mark} ${about}`, page.columns, "  ", "    "),
      ...line(tame(answer ?? flag)),
      ...(exact === null ? [] : line(`in remit.yaml, for this finding only: ${tame(exact)}`)),
    ];
  });
  const head = !isDecided
    ? "Guards, not decided: an offline plan that is not saved cannot be applied"
    : isOpen
      ? "Guards: nothing is applied until these are acknowledged"
      : "Guards, all acknowledged";
  return [[...title(head, page), ...lines, ...moreThan(findings.length, "guard", page)]];
}

/** How many are not shown. */
function moreThan(count: number, one: string, { paint }: Page, most = MOST): Section {
  return count <= most ? [] : [`    ${paint("frame", `… and ${many(count - most, one)} more`)}`];
}

/** What was not read, with `-v` what the service spells otherwise and what is not compared, the calls, and on the last line the counts. */
function closingOf(report: PlanReport, page: Page, verbose: boolean): Section {
  const { columns, paint } = page;
  const unseen = unseenOf(report.unseen);
  const rewritten = verbose ? rewrittenOf(report.rewritten) : [];
  const ignored = verbose ? notComparedOf(report.notCompared) : [];
  const written = writtenUnseenOf(report);
  const gaps = report.people === null ? [] : countingGaps(report.people);
  const decision = decisionOf(report);
  const left = ignoredSentence(report);
  const calls = report.steps.length === 0 ? null : callsOf(report, verbose);
  const line = (text: string) => wrap(text, columns, "", "  ");
  const unapplied = unappliedOf(report);
  return [
    ...(unapplied === null ? [] : line(tame(unapplied))),
    ...unseen.slice(0, MOST).flatMap(({ what, why }) => line(`Not read: ${tame(what)}: ${tame(why)}`)),
    ...moreThan(unseen.length, "reason", page),
    ...gaps.flatMap((one) => line(tame(one))),
    ...(written === null ? [] : line(tame(written))),
    ...rewritten.flatMap((one) => line(`Spelled otherwise by the service, and equal: ${tame(one)}`)),
    ...ignored.flatMap((one) => line(`Not compared: ${tame(one)}`)),
    ...(decision === null ? [] : line(decision)),
    ...unmanagedSentences(report).flatMap((one) => line(tame(one))),
    ...(left === null ? [] : line(left)),
    ...(calls === null ? [] : line(`API calls: ${tame(calls)}`)),
    ...line(paint("strong", lastLine(report))),
  ];
}
