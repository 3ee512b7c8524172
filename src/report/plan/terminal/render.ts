import { many, usable, wrap } from "../../text/layout.js";
import type { Page } from "../../text/page.js";
import type { Paint } from "../../text/paint.js";
import { tame } from "../../text/tame.js";
import type { PlanReport, StepReport } from "../report.js";
import { answerTo, callsOf, estimateOf, rewrittenOf, tally } from "../tally.js";
import { crowdsOf, renderCrowd } from "./crowd.js";
import { renderStep } from "./step.js";

/** A plan for a person at a terminal: the riskiest first, drift apart from intent, the counts last. */
export function renderPlanText(
  report: PlanReport,
  { columns, paint }: { readonly columns: number; readonly paint: Paint },
): string {
  const page: Page = { columns: usable(columns), paint };
  const sections = report.steps.length === 0 && report.findings.length === 0 ? [] : changes(report, page);
  const closing = closingOf(report, page);
  return `${[...sections.map((lines) => `${lines.join("\n")}\n`), closing.join("\n")].join("\n")}\n`;
}

// Guards and things unseen that are told one by one.
const MOST = 20;

type Section = readonly string[];

function changes(report: PlanReport, page: Page): readonly Section[] {
  const meant = report.steps.filter(({ isDrift }) => !isDrift);
  const drifted = report.steps.filter(({ isDrift }) => isDrift);
  return [
    wrap(headOf(report, page), page.columns, "", "     "),
    ...stepsOf(meant, page),
    ...(drifted.length === 0 ? [] : [title(driftOf(report), page), ...stepsOf(drifted, page)]),
    ...guardsOf(report, page),
  ];
}

function headOf({ server, commit }: PlanReport, { paint }: Page): string {
  const parts = [tame(server), ...(commit === null ? [] : [`commit ${tame(commit.slice(0, 12))}`])];
  return `${paint("strong", "Plan")} ${paint("frame", `for ${parts.join(" · ")}`)}`;
}

function driftOf({ refreshOnly }: PlanReport): string {
  const what = "Drift: the tenant was changed since the last apply";
  return refreshOnly
    ? `${what}. An apply records it and changes nothing.`
    : `${what}. An apply puts it back.`;
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

function guardsOf({ findings }: PlanReport, page: Page): readonly Section[] {
  if (findings.length === 0) return [];
  const isOpen = findings.some(({ acknowledged }) => acknowledged === null);
  const lines = findings.slice(0, MOST).flatMap((finding) => {
    const { guard, address, message, flag } = finding;
    const answer = answerTo(finding);
    const role = answer === null ? "error" : "note";
    const mark = page.paint(role, `${answer === null ? "!" : "✓"} ${tame(guard)}`);
    const about = address === null ? tame(message) : `${tame(address)}: ${tame(message)}`;
    return [
      ...wrap(`${mark} ${about}`, page.columns, "  ", "    "),
      ...wrap(tame(answer ?? flag), page.columns, `    ${page.paint("frame", "=")} `, "      "),
    ];
  });
  const head = isOpen
    ? "Guards: nothing is applied until these are acknowledged"
    : "Guards, all acknowledged";
  return [[...title(head, page), ...lines, ...moreThan(findings.length, "guard", page)]];
}

/** How many are not told one by one. */
function moreThan(count: number, one: string, { paint }: Page): Section {
  return count <= MOST ? [] : [`    ${paint("frame", `… and ${many(count - MOST, one)} more`)}`];
}

/** What could not be seen, what is kept otherwise, the calls, and on the last line the counts. */
function closingOf(report: PlanReport, { columns, paint }: Page): Section {
  const { unseen, calls, estimate, counts, pending } = report;
  const rewritten = rewrittenOf(report.rewritten);
  const row = (label: string, text: string) =>
    wrap(text, columns, paint("frame", `${label} `.padEnd(11)), " ".repeat(11));
  const isSome = (table: object) => Object.keys(table).length > 0;
  const isQuiet = report.steps.length === 0;
  return [
    ...unseen.slice(0, MOST).flatMap(({ what, why }) => row("not seen", `${tame(what)}: ${tame(why)}`)),
    ...moreThan(unseen.length, "thing", { columns, paint }),
    ...(rewritten === null ? [] : row("rewritten", rewritten)),
    ...(isQuiet || !isSome(calls.made) ? [] : row("calls made", tame(callsOf(calls.made)))),
    ...(isSome(calls.ahead) ? row("ahead", tame(`${callsOf(calls.ahead)}, ${estimateOf(estimate)}`)) : []),
    ...wrap(paint("strong", `${pending ? "Plan" : "Nothing to do"}: ${tally(counts)}.`), columns, ""),
  ];
}
