import { bytesOf, fitting, type Piece } from "../../text/budget.js";
import { code, fence, inline, link, prose } from "../../text/escape.js";
import { clipped, many } from "../../text/layout.js";
import { labelOf, nameOf, placeOf } from "../labels.js";
import { countingGaps } from "../people.js";
import type { PlanReport, StepReport } from "../report.js";
import { isProposed, type SettingLine, settingGroups, sourceOf } from "../settingWords.js";
import { SIGNS } from "../signs.js";
import {
  callsOf,
  decisionOf,
  lastLine,
  noStateOf,
  pendingOf,
  pendingSteps,
  sinceOf,
  tally,
  undoesNothingOf,
  unseenOf,
  writtenUnseenOf,
} from "../tally.js";
import { unappliedOf } from "../unappliedWords.js";
import { ignoredSentence, unmanagedSentences } from "../unmanaged.js";
import { briefOf } from "./brief.js";
import { detailsOf } from "./details.js";
import { guardOf } from "./guards.js";
import { unmanagedBlocks, unmanagedOf } from "./unmanaged.js";

/** The first line of every plan in Markdown. A bot finds its earlier comment by it. */
export const PLAN_MARKER = "<!-- remit:plan -->";

/** The options of a plan in a pull request. */
export interface MarkdownOptions {
  /** The most bytes of UTF-8; null means no limit. */
  readonly maxBytes: number | null;
  /** The web address to which a manifest's path is added for a link; null means no links. */
  readonly linkBase: string | null;
}

type Part = "setting" | "brief" | "guard" | "pending" | "unmanaged" | "closing" | "row" | "details";
/** `group` is the heading of a setting. */
type PlanPiece = Piece & { readonly part: Part; readonly step?: StepReport; readonly group?: string };

const TABLE = "| resource | what |\n|---|---|";
const TABLE_WITH_PEOPLE = "| people | resource | what |\n|---|---|---|";
const GUARDS = "**Guards**";
const UNDECIDED = "**Guards, not decided:** an offline plan that is not saved cannot be applied";
// The room for a line about what is left out.
const NOTICES = 500;

/**
 * A plan for a pull request: the counts, a line for each step, and each step's details, folded. With a limit of bytes,
 * the riskiest steps keep most. Every step keeps at least a line while there is room, and what is left out is counted.
 * The first lines are always there.
 */
export function renderPlanMarkdown(report: PlanReport, { maxBytes, linkBase }: MarkdownOptions): string {
  const head = headOf(report);
  const titles = settingGroups(report).map(({ title }) => `**${title}**\n`);
  const fixed = [head, TABLE_WITH_PEOPLE, GUARDS, ...titles, pendingOf(report) ?? ""].reduce(
    (sum, text) => sum + bytesOf(text) + 2,
    NOTICES,
  );
  const pieces = piecesOf(report, linkBase);
  const all = composed(report, head, pieces, new Set(pieces), maxBytes);
  if (maxBytes === null || bytesOf(all) <= maxBytes) return all;
  const kept = fitting(pieces, maxBytes - fixed);
  const fitted = composed(report, head, pieces, kept, maxBytes);
  return bytesOf(fitted) <= maxBytes
    ? fitted
    : `${head}\n\nAll else is left out to stay within ${maxBytes} bytes.\n`;
}

function piecesOf(report: PlanReport, linkBase: string | null): readonly PlanPiece[] {
  const { steps, findings } = report;
  const withPeople = hasPeople(report);
  const lists = [
    // No number of steps hides a setting.
    settingGroups(report).flatMap(({ title, lines }) =>
      lines.map((line): PlanPiece => {
        return { part: "setting", rank: -1, isInOrder: true, text: settingOf(line), group: title };
      }),
    ),
    findings
      .filter((finding) => !isProposed(finding))
      .map((finding): PlanPiece => ({ part: "guard", rank: 1, isInOrder: true, text: guardOf(finding) })),
    pendingSteps(report).map((step): PlanPiece => {
      const text = `- ${pendingLine(step, linkBase)}`;
      return { part: "pending", rank: 2, isInOrder: true, text };
    }),
    (report.unmanaged?.isWhole === true ? report.unmanaged.kinds : []).flatMap(({ kind, objects }) =>
      objects.map((object): PlanPiece => {
        return { part: "unmanaged", rank: 3, isInOrder: true, text: unmanagedOf(kind, object) };
      }),
    ),
    closingOf(report).map((text): PlanPiece => ({ part: "closing", rank: 2, isInOrder: true, text })),
    steps.flatMap((step): readonly PlanPiece[] => {
      const brief: PlanPiece = { part: "brief", rank: 0, isInOrder: true, text: briefOf(step), step };
      const row = rowOf(step, linkBase, withPeople);
      const details = detailsOf(step, linkBase);
      return [
        brief,
        { part: "row", rank: 3, isInOrder: true, text: row, step, insteadOf: brief },
        { part: "details", rank: 4, isInOrder: false, text: details, step },
      ];
    }),
  ];
  return lists.flat();
}

function composed(
  report: PlanReport,
  head: string,
  pieces: readonly PlanPiece[],
  kept: ReadonlySet<PlanPiece>,
  maxBytes: number | null,
): string {
  const of = (part: Part) => pieces.filter((piece) => piece.part === part && kept.has(piece));
  const lost = (part: Part) => pieces.filter((piece) => piece.part === part && !kept.has(piece));
  const [guards, rows, details, closing] = [of("guard"), of("row"), of("details"), of("closing")];
  const before = pendingOf(report);
  const hasGuards = guards.length + lost("guard").length > 0;
  const briefs = of("brief").slice(rows.length);
  const blocks = [
    head,
    ...settingBlocks(of("setting"), lost("setting")),
    ...(!hasGuards
      ? []
      : [
          lines([
            `${report.isDecided ? GUARDS : UNDECIDED}\n`,
            ...guards.map(textOf),
            ...moreGuards(lost("guard")),
          ]),
        ]),
    ...(rows.length === 0 ? [] : [lines([tableOf(report), ...rows.map(textOf)])]),
    ...(briefs.length === 0 ? [] : [fence(briefs.map(textOf), "diff")]),
    ...leftOut(lost("brief"), briefs, lost("details"), maxBytes),
    ...details.map(textOf),
    ...(before === null ? [] : pendingBlock(before, of("pending"), lost("pending"))),
    ...unmanagedBlocks(report, of("unmanaged").map(textOf), lost("unmanaged").length),
    ...(closing.length === 0 ? [] : [lines(closing.map(textOf))]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** Whether people were counted for a step. */
export function hasPeople({ steps }: Pick<PlanReport, "steps">): boolean {
  return steps.some(({ people }) => people !== null);
}

/** The head of the table of resources, with a column for people only where some were counted. */
export function tableOf(report: Pick<PlanReport, "steps">): string {
  return hasPeople(report) ? TABLE_WITH_PEOPLE : TABLE;
}

function headOf(report: PlanReport): string {
  const { server, commit, since, findings, effect, isDecided } = report;
  const waiting = findings.filter((finding) => finding.acknowledged === null && !isProposed(finding));
  const open = isDecided ? waiting.length : 0;
  const source = sourceOf(report);
  const parts = [
    `**${lastLine(report)}**`,
    ...(open === 0 ? [] : [`**${many(open, "guard")} to acknowledge.**`]),
    [
      code(server),
      ...(commit === null ? [] : [`commit ${code(commit.slice(0, 12))}`]),
      ...(since === null ? [] : [inline(sinceOf(since))]),
    ].join(" · "),
  ];
  const state = noStateOf(report);
  const undone = undoesNothingOf(report);
  const more = [
    ...(source === null ? [] : [inline(source)]),
    ...(state === null ? [] : [state]),
    ...(undone === null ? [] : [`**${undone}**`]),
  ];
  return `${PLAN_MARKER}\n${[parts.join(" "), code(effect), ...more].join("<br>")}`;
}

function settingBlocks(kept: readonly PlanPiece[], lost: readonly PlanPiece[]): readonly string[] {
  const titles = [...new Set(kept.flatMap(({ group }) => group ?? []))];
  const blocks = titles.map((title) => {
    const own = kept.filter(({ group }) => group === title);
    return lines([`**${title}**\n`, ...own.map(textOf)]);
  });
  return [...blocks, ...(lost.length === 0 ? [] : [`… and ${many(lost.length, "setting")} more.`])];
}

/** A setting that is shown before the steps. */
export function settingOf({ text, place }: SettingLine): string {
  return `- ${inline(text)}${place === "" ? "" : ` · ${code(place)}`}`;
}

const LONGEST_CELL = 120;
const MOST_FIELDS = 4;

/** The row of a step in the table of resources. */
export function rowOf(step: StepReport, base: string | null, withPeople: boolean, what?: string): string {
  const { action, title, place } = step;
  const name = place === null ? code(nameOf(step)) : link(code(nameOf(step)), place, base);
  const isLinked = place !== null && base !== null;
  const where = isLinked || placeOf(step) === "" ? "" : ` ${code(placeOf(step))}`;
  const sign = SIGNS[action].sign.trim();
  const mark = sign === "" ? labelOf(step) : `${code(sign)} ${labelOf(step)}`;
  // First, and few columns: a phone shows the left 350 pixels of a table.
  const people = withPeople ? `| ${step.people?.brief ?? ""} ` : "";
  const named = title === "" ? "" : `<br>${inline(clipped(title, LONGEST_CELL))}`;
  return `${people}| ${mark} ${name}${where}${named} | ${what ?? whatOf(step)} |`;
}

/** What a row says besides its action: the fields of an update or a drift, otherwise the reason. */
function whatOf(step: StepReport): string {
  const { action, fields, reason, isDrift, staysActive } = step;
  if (staysActive) return `⚠ **${inline(reason)}**`;
  const isAccepted = labelOf(step) === "accept";
  const hasFields = action === "update" || isDrift || isAccepted;
  if (action === "create" || action === "blocked" || !hasFields || fields.length === 0)
    return isDrift ? `drift: ${inline(reason)}` : inline(reason);
  const shown = fields.slice(0, MOST_FIELDS).map(({ path }) => code(clipped(path, LONGEST_CELL)));
  const more = fields.length - shown.length;
  const text = `${shown.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
  return isDrift ? `drift: ${text}` : isAccepted ? `drift accepted: ${text}` : text;
}

/** What was pending without the change, folded. */
function pendingBlock(
  title: string,
  kept: readonly PlanPiece[],
  lost: readonly PlanPiece[],
): readonly string[] {
  const more = lost.length === 0 ? [] : [`- … and ${many(lost.length, "object")} more`];
  return [
    `<details><summary>${inline(title)}</summary>`,
    lines([...kept.map(textOf), ...more]),
    "</details>",
  ];
}

/** What was pending without the change, in a line. */
export function pendingLine(step: StepReport, linkBase: string | null): string {
  const { place } = step;
  const name = place === null ? code(nameOf(step)) : link(code(nameOf(step)), place, linkBase);
  const what = whatOf(step);
  return `${labelOf(step)} ${name}${what === "" ? "" : `: ${what}`}`;
}

function moreGuards(lost: readonly PlanPiece[]): readonly string[] {
  return lost.length === 0 ? [] : [`- … and ${many(lost.length, "guard")} more`];
}

/** How many steps are not shown because the room is missing, and what they would do. */
function leftOut(
  lost: readonly PlanPiece[],
  briefs: readonly PlanPiece[],
  details: readonly PlanPiece[],
  maxBytes: number | null,
): readonly string[] {
  const room = `to stay within ${maxBytes} bytes; \`remit show\` of the saved plan has all`;
  if (lost.length > 0) {
    const steps = lost.flatMap(({ step }) => step ?? []);
    return [`… and ${many(lost.length, "step")} more (${tally(steps, 0)}), left out ${room}.`];
  }
  if (briefs.length > 0) return [`${many(briefs.length, "step")} shortened ${room}.`];
  return details.length === 0 ? [] : [`The details of ${many(details.length, "step")} are left out ${room}.`];
}

function closingOf(
  report: Pick<
    PlanReport,
    "counts" | "unapplied" | "unseen" | "people" | "writtenUnseen" | "calls" | "estimate" | "unmanaged"
  >,
): readonly string[] {
  const written = writtenUnseenOf(report);
  const gaps = report.people === null ? [] : countingGaps(report.people);
  const decision = decisionOf(report);
  const left = ignoredSentence(report);
  const calls = callsOf(report, true);
  const unapplied = unappliedOf(report);
  return [
    ...(unapplied === null ? [] : [`- ${inline(unapplied)}`]),
    ...unseenOf(report.unseen).map(({ what, why }) => `- Not read: ${inline(what)}: ${prose(why)}`),
    ...gaps.map((gap) => `- ${prose(gap)}`),
    ...(written === null ? [] : [`- ${inline(written)}`]),
    ...(decision === null ? [] : [`- ${decision}`]),
    ...unmanagedSentences(report).map((one) => `- ${inline(one)}`),
    ...(left === null ? [] : [`- ${left}`]),
    ...(calls === null ? [] : [`- API calls: ${inline(calls)}`]),
  ];
}

function textOf({ text }: Piece): string {
  return text;
}

function lines(texts: readonly string[]): string {
  return texts.join("\n");
}
