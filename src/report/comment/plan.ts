import { briefOf } from "../plan/markdown/brief.js";
import { detailsOf } from "../plan/markdown/details.js";
import { guardOf } from "../plan/markdown/guards.js";
import { hasPeople, pendingLine, rowOf, settingOf, tableOf } from "../plan/markdown/render.js";
import type { PlanReport, StepReport } from "../plan/report.js";
import { isProposed, settingGroups } from "../plan/settingWords.js";
import {
  decisionOf,
  lastLine,
  noStateOf,
  pendingOf,
  pendingSteps,
  sinceOf,
  tally,
  undoesNothingOf,
  unseenOf,
} from "../plan/tally.js";
import { unappliedOf } from "../plan/unappliedWords.js";
import { bytesOf, fitting, type Piece } from "../text/budget.js";
import { code, fence, inline, prose } from "../text/escape.js";
import { many } from "../text/layout.js";
import { nextOf } from "./next.js";
import { peopleTotal } from "./people.js";
import { type Unreviewed, unreviewedLines } from "./unreviewed.js";

/** A plan, and what the comment says around it. */
export interface PlanInComment {
  /** `PROJECT@TENANT`. */
  readonly name: string;
  readonly report: PlanReport;
  /** The address that the path of a file is added to; null for no links. */
  readonly linkBase: string | null;
  /** How to see all of it: a sentence. */
  readonly whole: string;
  /** Why it was not applied; null for a plan that is reviewed. */
  readonly unreviewed: Unreviewed | null;
}

/** The room for headings, and for what says what is left out. */
const NOTICES = 1500;

type Part = "setting" | "finding" | "delete" | "brief" | "row" | "drift" | "details" | "pending" | "closing";
type CommentPiece = Piece & { readonly part: Part; readonly step?: StepReport };

/**
 * One plan within so many bytes. Counts in people come first, then findings and deletions, then who loses access, then the
 * rest. Every object has a line before any has a body. What is left out is counted, with how to see all of it.
 */
export function renderPlanInComment(plan: PlanInComment, maxBytes: number): string {
  const { name, report } = plan;
  const { unreviewed } = plan;
  const head = headOf(name, report, unreviewed);
  const closing = unreviewed === null ? nextOf(report) : [];
  const pieces = piecesOf(plan);
  const fixed = bytesOf(head) + bytesOf(closing.join("\n")) + NOTICES;
  const all = composed(plan, head, closing, pieces, new Set(pieces), true);
  if (bytesOf(all) <= maxBytes) return all;
  const kept = fitting(pieces, Math.max(0, maxBytes - fixed));
  const fitted = composed(plan, head, closing, pieces, kept, false);
  return bytesOf(fitted) <= maxBytes ? fitted : [head, leftOut(plan, report.steps)].join("\n\n");
}

function headOf(name: string, report: PlanReport, unreviewed: Unreviewed | null): string {
  const { server, commit, since, effect, findings, isDecided } = report;
  const open = isDecided ? findings.filter((one) => one.acknowledged === null && !isProposed(one)).length : 0;
  const people = peopleTotal(report.steps);
  const facts = [
    code(server),
    ...(commit === null ? [] : [`commit ${code(commit.slice(0, 12))}`]),
    ...(since === null ? [] : [inline(sinceOf(since))]),
    code(effect),
  ];
  const state = noStateOf(report);
  const undone = undoesNothingOf(report);
  return [
    `### ${inline(name)}`,
    ...(unreviewed === null ? [] : unreviewedLines(unreviewed)),
    ...(people === null ? [] : [`**${inline(people)}**`]),
    `**${inline(lastLine(report))}**${open === 0 ? "" : ` **${many(open, "guard")} to acknowledge.**`}`,
    [
      facts.join(" · "),
      ...(state === null ? [] : [inline(state)]),
      ...(undone === null ? [] : [`**${inline(undone)}**`]),
    ].join("<br>"),
  ].join("\n\n");
}

/** Deletions first, then those by whom the most lose access, then by risk, as the plan orders them. */
function inOrder(steps: readonly StepReport[]): readonly StepReport[] {
  const losers = ({ people }: StepReport) =>
    people === null ? 0 : (people.mostLosing ?? Number.MAX_SAFE_INTEGER);
  const isDelete = ({ action }: StepReport) => Number(action === "delete");
  return steps.toSorted(
    (one, other) => isDelete(other) - isDelete(one) || losers(other) - losers(one) || other.risk - one.risk,
  );
}

function piecesOf({ report, linkBase }: PlanInComment): readonly CommentPiece[] {
  const line = (part: Part, rank: number) => (text: string) => ({ part, rank, isInOrder: true, text });
  const findings = report.findings.filter((finding) => !isProposed(finding)).map(guardOf);
  const settings = settingGroups(report).flatMap(({ title, lines }) => [
    `\n**${inline(title)}**\n`,
    ...lines.map(settingOf),
  ]);
  const steps = inOrder(report.steps);
  const withPeople = hasPeople(report);
  const rows = steps.flatMap((step): readonly CommentPiece[] => {
    const row = rowOf(step, linkBase, withPeople);
    const details = {
      part: "details",
      rank: 5,
      isInOrder: false,
      text: detailsOf(step, linkBase),
      step,
    } as const;
    if (step.action === "delete") return [{ ...line("delete", 0)(row), step }, details];
    const brief: CommentPiece = { ...line("brief", 1)(briefOf(step)), step };
    const part = step.isDrift ? "drift" : "row";
    return [brief, { ...line(part, 3)(row), step, insteadOf: brief }, details];
  });
  const pending = pendingSteps(report).map((step) => `- ${pendingLine(step, linkBase)}`);
  const unseen = unseenOf(report.unseen).map(({ what, why }) => `- Not read: ${inline(what)}: ${prose(why)}`);
  const unapplied = unappliedOf(report);
  return [
    ...settings.map(line("setting", -1)),
    ...findings.map(line("finding", 0)),
    ...rows,
    ...pending.map(line("pending", 4)),
    ...(unapplied === null ? [] : [line("closing", 2)(`- ${inline(unapplied)}`)]),
    ...unseen.map(line("closing", 2)),
  ];
}

function composed(
  plan: PlanInComment,
  head: string,
  closing: readonly string[],
  pieces: readonly CommentPiece[],
  kept: ReadonlySet<CommentPiece>,
  isWhole: boolean,
): string {
  const { report } = plan;
  const of = (part: Part) => pieces.filter((one) => one.part === part && kept.has(one));
  const texts = (part: Part) => of(part).map(({ text }) => text);
  const lost = (part: Part) => pieces.filter((one) => one.part === part && !kept.has(one));
  const rows = new Set([...of("row"), ...of("drift")].map(({ step }) => step));
  const briefs = of("brief").filter(({ step }) => !rows.has(step));
  const gone = [...lost("brief"), ...lost("delete")].flatMap(({ step }) => step ?? []);
  const shortened = lost("details").length;
  const before = pendingOf(report);
  const decision = decisionOf(report);
  const table = (rows: readonly string[]) => (rows.length === 0 ? [] : [tableOf(report), ...rows]);
  const drift = "**Drift: the tenant was changed since the last apply. An apply reverts it.**";
  const blocks = [
    head,
    ...block("", texts("setting")),
    ...block("**Guards**\n", texts("finding"), lost("finding").length, "guard"),
    ...block("**Deleted in the tenant**\n", table(texts("delete"))),
    ...block("", table(texts("row"))),
    ...block(`${drift}\n`, table(texts("drift"))),
    ...(briefs.length === 0
      ? []
      : [
          fence(
            briefs.map(({ text }) => text),
            "diff",
          ),
        ]),
    ...(isWhole ? [] : [gone.length > 0 ? leftOut(plan, gone) : shortenedBy(plan, briefs.length, shortened)]),
    ...(before === null
      ? []
      : [
          `<details><summary>${inline(before)}</summary>`,
          ...block("", texts("pending"), lost("pending").length, "object"),
          "</details>",
        ]),
    ...texts("details"),
    ...block("", [...texts("closing"), ...(decision === null ? [] : [`- ${prose(decision)}`]), ...closing]),
  ];
  return blocks.join("\n\n");
}

/** Lines under a heading, and how many more there are. */
function block(head: string, lines: readonly string[], lost = 0, noun = ""): readonly string[] {
  const more = lost === 0 ? [] : [`- … and ${many(lost, noun)} more`];
  if (lines.length + more.length === 0) return [];
  return [[...(head === "" ? [] : [head]), ...lines, ...more].join("\n")];
}

function leftOut({ whole }: PlanInComment, steps: readonly StepReport[]): string {
  return `**${many(steps.length, "object")} more ${steps.length === 1 ? "is" : "are"} not shown here** (${inline(tally(steps, 0))}): the comment is full. ${whole}`;
}

function shortenedBy({ whole }: PlanInComment, briefs: number, details: number): string {
  const parts = [
    ...(briefs === 0 ? [] : [`${many(briefs, "object")} in short form`]),
    ...(details === 0 ? [] : [`${many(details, "object")} without details`]),
  ];
  return `Shortened to fit into a comment: ${parts.length === 0 ? "what was pending already" : parts.join(", ")}. ${whole}`;
}
