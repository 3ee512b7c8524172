import { firstOf } from "../../../words/more.js";
import type { Statement } from "../../statement.js";
import { bytesOf, fitting, type Piece } from "../../text/budget.js";
import { code, fence, inline, prose } from "../../text/escape.js";
import { many } from "../../text/layout.js";
import { type Block, countsOf } from "../../view/blocks.js";
import { saidOf } from "../../view/figures.js";
import type { FindingView } from "../../view/guards.js";
import type { SectionName } from "../../view/sections.js";
import { verdictLine } from "../../view/verdict.js";
import type { View } from "../../view/view.js";
import { barsBlock } from "../markdown/bars.js";
import { detailsOfBlock } from "../markdown/block.js";
import { factsLine } from "../markdown/facts.js";
import { reviewTable } from "../markdown/reviews.js";
import { briefOf, rowOf, STEPS_HEAD } from "../markdown/row.js";
import { itemsOf, loudOf, type ObjectPiece, objectPieces, sectionsOf } from "../markdown/statements.js";
import { tableHead, tableRow } from "../markdown/table.js";
import { entriesFor, nextOf } from "./next.js";
import { type Unreviewed, unreviewedLines } from "./unreviewed.js";

/** A plan, and what the comment says around it. */
export interface PlanInComment {
  /** `PROJECT@TENANT`. */
  readonly name: string;
  readonly view: View;
  /** The address that the path of a file is added to; null for no links. */
  readonly linkBase: string | null;
  /** How to see all of it: a sentence. */
  readonly whole: string;
  /** What differs from what was reviewed; null for a plan that is reviewed. */
  readonly unreviewed: Unreviewed | null;
  /** The approvals that are not of this plan: who gave them, and why they do not count. */
  readonly uncounted: readonly { readonly by: string; readonly why: string }[];
}

/** The same with null for its name outside a pull request, where no one merges it. */
type AnyPlan = Omit<PlanInComment, "name"> & { readonly name: string | null };

/** The room for headings, and for what says what is left out. */
const NOTICES = 1500;

type Part = "finding" | "delete" | "brief" | "row" | "drift" | "details";
type StepPiece = Piece & { readonly part: Part; readonly block?: Block };
type CommentPiece = ObjectPiece | StepPiece;

/**
 * One plan within so many bytes. Counts in people come first, then findings and deletions, then who loses access, then the
 * rest. Every object has a line before any has a body. What is left out is counted, with how to see all of it.
 */
export function renderPlanInComment(plan: AnyPlan, maxBytes: number): string {
  const { name, view, unreviewed } = plan;
  const next = unreviewed !== null ? [] : name === null ? entriesFor(view) : nextOf(view);
  const pieces = piecesOf(plan);
  const whole = { next, most: undefined };
  const all = composed(plan, whole, pieces, new Set(pieces), true);
  if (bytesOf(all) <= maxBytes) return all;
  // Statements stay; of their objects, only the number does where the room is small.
  const short = { next, most: 0 };
  for (const frame of [whole, short]) {
    const fixed = bytesOf(composed(plan, frame, [], new Set(), true)) + NOTICES;
    const kept = fitting(pieces, Math.max(0, maxBytes - fixed));
    const fitted = composed(plan, frame, pieces, kept, false);
    if (bytesOf(fitted) <= maxBytes) return fitted;
  }
  const head = Object.values(headOf(plan)).flat();
  return [...head, ...aboutOf(view, 0), leftOut(plan, view.changes.all)].join("\n\n");
}

/** What stands around the steps, and how many objects each of its statements names. */
interface Frame {
  readonly next: readonly string[];
  readonly most: number | undefined;
}

const SIGN = { Blocked: "⛔ ", "Needs a look": "⚠ ", Routine: "✓ ", "Nothing to do": "✓ " } as const;

/** What stands above the rest, in the order of its sections. */
function headOf({ name, view, unreviewed, uncounted }: AnyPlan) {
  const { verdict, facts, effect, figures, counted, loud } = view;
  const isNothing = verdict.word === "Nothing to do";
  return {
    verdict: [
      ...(name === null ? [] : [`### ${inline(name)}`]),
      ...(unreviewed === null ? [] : unreviewedLines(unreviewed)),
      `**${inline(isNothing ? view.lastLine : `${SIGN[verdict.word]}${verdictLine(verdict)}`)}**`,
    ],
    facts: [factsLine(facts, code(effect)), ...(uncounted.length === 0 ? [] : [uncountedLine(uncounted)])],
    figures: isNothing ? saidOf(figures).map((text) => `**${prose(text)}**`) : [figuresTable(figures)],
    counted: loudOf(counted),
    loud: loudOf(loud),
  };
}

/** People, reviews and objects in numbers, each with its sentences. */
function figuresTable(figures: View["figures"]): string {
  const cells = figures.map(({ more, fewer, unit, sentences }) => {
    const number = [more, fewer, unit].filter((part) => part !== "").join(" ");
    return [`**${inline(number)}**`, ...sentences.map(prose)].join("<br>");
  });
  return [tableHead(figures.map(({ of }) => [of])), tableRow(cells)].join("\n");
}

const MOST_NAMES = 20;

function uncountedLine(uncounted: PlanInComment["uncounted"]): string {
  const names = uncounted.map(({ by, why }) => `${by} (${why})`);
  const what = uncounted.length === 1 ? "1 approval does" : `${uncounted.length} approvals do`;
  return `**${what} not count for this plan:** ${inline(firstOf(names, MOST_NAMES))}. An approval after this comment counts.`;
}

function isWarning({ rank, severity }: Statement): boolean {
  return rank === "end" && severity !== "note";
}

/** What asks for something, and folded what is only good to know. */
function aboutOf({ about }: View, most: number | undefined): readonly string[] {
  const [warnings, notes] = [about.filter(isWarning), about.filter((one) => !isWarning(one))].map((all) =>
    itemsOf(all, most).join("\n"),
  );
  return [
    ...(warnings ? [warnings] : []),
    ...(notes ? [`<details><summary>About this plan</summary>\n\n${notes}\n\n</details>`] : []),
  ];
}

function piecesOf({ view, linkBase }: AnyPlan): readonly CommentPiece[] {
  const line = (part: Part, rank: number) => (text: string) => ({ part, rank, isInOrder: true, text });
  const rows = view.changes.all.flatMap((block): readonly CommentPiece[] => {
    const { face } = block;
    const row = rowOf(face, linkBase);
    const text = detailsOfBlock(block, linkBase);
    const details = { part: "details", rank: 5, isInOrder: false, text, block } as const;
    if (face.action === "delete") return [{ ...line("delete", 0)(row), block }, details];
    const brief: CommentPiece = { ...line("brief", 1)(briefOf(face)), block };
    const part = face.isDrift ? "drift" : "row";
    return [brief, { ...line(part, 3)(row), block, insteadOf: brief }, details];
  });
  const findings = view.guards.findings.map(guardOf).map(line("finding", 0));
  return [...objectPieces([...view.before, ...view.after], linkBase), ...findings, ...rows];
}

/** A finding, with its answer; what acknowledges the open ones stands once, below all of them. */
function guardOf({ guard, address, message, isOpen, answer }: FindingView): string {
  const about = address === null ? "" : `${code(address)}: `;
  const said = `- ${isOpen ? "**!**" : "✓"} ${code(guard)} ${about}${prose(message)}`;
  return answer === null ? said : `${said} · ${inline(answer)}`;
}

function composed(
  plan: AnyPlan,
  { next, most }: Frame,
  pieces: readonly CommentPiece[],
  kept: ReadonlySet<CommentPiece>,
  isWhole: boolean,
): string {
  const { view } = plan;
  const own = pieces.filter((one): one is StepPiece => one.part !== "object");
  const objects = pieces.filter((one): one is ObjectPiece => one.part === "object" && kept.has(one));
  const of = (part: Part) => own.filter((one) => one.part === part && kept.has(one));
  const texts = (part: Part) => of(part).map(({ text }) => text);
  const lost = (part: Part) => own.filter((one) => one.part === part && !kept.has(one));
  const rows = new Set([...of("row"), ...of("drift")].map(({ block }) => block));
  const briefs = of("brief").filter(({ block }) => !rows.has(block));
  const gone = [...lost("brief"), ...lost("delete")].flatMap(({ block }) => block ?? []);
  const shortened = lost("details").length;
  const isRoomy = most === undefined;
  const parts: Readonly<Record<SectionName, readonly string[]>> = {
    ...headOf(plan),
    people: [],
    spread: isRoomy ? barsBlock(view.spread) : [],
    reviews: isRoomy ? view.reviews.map(reviewTable) : [],
    groups: [],
    before: sectionsOf(view.before, objects),
    guards: block("**Guards**\n", texts("finding"), lost("finding").length, "guard"),
    meant: block(STEPS_HEAD, [...texts("delete"), ...texts("row")]),
    drifted: [
      ...block(`**${inline(view.changes.driftTitle)}**\n\n${STEPS_HEAD}`, texts("drift")),
      ...(briefs.length === 0
        ? []
        : [
            fence(
              briefs.map(({ text }) => text),
              "diff",
            ),
          ]),
      ...(isWhole
        ? []
        : [gone.length > 0 ? leftOut(plan, gone) : shortenedBy(plan, briefs.length, shortened)]),
      ...texts("details"),
    ],
    earlier: [],
    after: sectionsOf(view.after, objects),
    legend: [],
    about: aboutOf(view, most),
  };
  return [...view.sections.flatMap((name) => parts[name]), ...block("", next)].join("\n\n");
}

/** Lines under a heading, and how many more there are. */
function block(head: string, lines: readonly string[], lost = 0, noun = ""): readonly string[] {
  const more = lost === 0 ? [] : [`- … and ${many(lost, noun)} more`];
  if (lines.length + more.length === 0) return [];
  return [[...(head === "" ? [] : [head]), ...lines, ...more].join("\n")];
}

function leftOut({ whole }: AnyPlan, blocks: readonly Block[]): string {
  const { steps, counts } = countsOf(blocks);
  return `**${many(steps, "object")} more ${steps === 1 ? "is" : "are"} not shown here** (${inline(counts)}): the rest does not fit. ${whole}`;
}

function shortenedBy({ whole }: AnyPlan, briefs: number, details: number): string {
  const parts = [
    ...(briefs === 0 ? [] : [`${many(briefs, "object")} in short form`]),
    ...(details === 0 ? [] : [`${many(details, "object")} without details`]),
  ];
  return `Shortened to fit: ${parts.length === 0 ? "what was pending already" : parts.join(", ")}. ${whole}`;
}
