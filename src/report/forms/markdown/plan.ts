import type { PlanReport, StepReport } from "../../plan/report.js";
import { labelOf, nameOf, placeOf } from "../../plan/words/labels.js";
import { guardsInTheWay } from "../../plan/words/openGuards.js";
import { isProposed } from "../../plan/words/settings.js";
import { SIGNS } from "../../plan/words/signs.js";
import { lastLine, sinceOf, tally } from "../../plan/words/tally.js";
import { ofRank } from "../../statement.js";
import { bytesOf, fitting, type Piece } from "../../text/budget.js";
import { code, fence, inline, link } from "../../text/escape.js";
import { clipped, many } from "../../text/layout.js";
import { briefOf } from "./brief.js";
import { detailsOf } from "./details.js";
import { guardOf } from "./guards.js";
import { itemsOf, loudOf, type ObjectPiece, objectPieces, sectionsOf } from "./statements.js";

/** The first line of every plan in Markdown. A bot finds its earlier comment by it. */
export const PLAN_MARKER = "<!-- remit:plan -->";

/** The options of a plan in a pull request. */
export interface MarkdownOptions {
  /** The most bytes of UTF-8; null means no limit. */
  readonly maxBytes: number | null;
  /** The web address to which a manifest's path is added for a link; null means no links. */
  readonly linkBase: string | null;
}

type Part = "brief" | "guard" | "row" | "details";
type StepPiece = Piece & { readonly part: Part; readonly step?: StepReport };
type PlanPiece = ObjectPiece | StepPiece;

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
  const closing = closingOf(report);
  const titles = ofRank(report.statements, "before", "after").map(
    ({ text }) => `**${text}** … and 1000 more`,
  );
  const fixed = [head, closing, GUARDS, ...titles].reduce((sum, text) => sum + bytesOf(text) + 2, NOTICES);
  const pieces = piecesOf(report, linkBase);
  const all = composed(report, head, pieces, new Set(pieces), maxBytes);
  if (maxBytes === null || bytesOf(all) <= maxBytes) return all;
  const kept = fitting(pieces, maxBytes - fixed);
  const fitted = composed(report, head, pieces, kept, maxBytes);
  if (bytesOf(fitted) <= maxBytes) return fitted;
  const rest = `All else is left out to stay within ${maxBytes} bytes.\n`;
  const said = itemsOf(
    report.statements.filter(({ rank }) => rank !== "top"),
    0,
  ).join("\n");
  const short = [head, said, rest].join("\n\n");
  return bytesOf(short) <= maxBytes ? short : [head, rest].join("\n\n");
}

function piecesOf(report: PlanReport, linkBase: string | null): readonly PlanPiece[] {
  const { steps, findings } = report;
  const lists = [
    objectPieces(report.statements, linkBase),
    findings
      .filter((finding) => !isProposed(finding))
      .map((finding): PlanPiece => ({ part: "guard", rank: 1, isInOrder: true, text: guardOf(finding) })),
    steps.flatMap((step): readonly PlanPiece[] => {
      const brief: PlanPiece = { part: "brief", rank: 0, isInOrder: true, text: briefOf(step), step };
      const row = rowOf(step, linkBase);
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
  const own = pieces.filter((one): one is StepPiece => one.part !== "object");
  const objects = pieces.filter((one): one is ObjectPiece => one.part === "object" && kept.has(one));
  const of = (part: Part) => own.filter((piece) => piece.part === part && kept.has(piece));
  const lost = (part: Part) => own.filter((piece) => piece.part === part && !kept.has(piece));
  const [guards, rows, details] = [of("guard"), of("row"), of("details")];
  const sections = (rank: "before" | "after") => sectionsOf(report.statements, rank, objects);
  const hasGuards = guards.length + lost("guard").length > 0;
  const briefs = of("brief").slice(rows.length);
  const closing = closingOf(report);
  const blocks = [
    head,
    ...sections("before"),
    ...(!hasGuards
      ? []
      : [
          lines([
            `${report.isDecided ? GUARDS : UNDECIDED}\n`,
            ...guards.map(textOf),
            ...moreGuards(lost("guard")),
          ]),
        ]),
    ...(rows.length === 0 ? [] : [lines(rows.map(textOf))]),
    ...(briefs.length === 0 ? [] : [fence(briefs.map(textOf), "diff")]),
    ...leftOut(lost("brief"), briefs, lost("details"), maxBytes),
    ...details.map(textOf),
    ...sections("after"),
    ...(closing === "" ? [] : [closing]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** What the plan says at its end, and its details. */
function closingOf({ statements }: PlanReport): string {
  return lines(itemsOf(ofRank(statements, "end", "detail")));
}

function headOf(report: PlanReport): string {
  const { server, context, commit, since, effect } = report;
  const inTheWay = guardsInTheWay(report);
  const parts = [
    `**${lastLine(report)}**`,
    ...(inTheWay === null ? [] : [`**${inTheWay}.**`]),
    [
      ...(context === undefined ? [] : [`context ${code(context)}`]),
      code(server),
      ...(commit === null ? [] : [`commit ${code(commit.slice(0, 12))}`]),
      ...(since === null ? [] : [inline(sinceOf(since))]),
    ].join(" · "),
  ];
  return `${PLAN_MARKER}\n${[parts.join(" "), code(effect), ...loudOf(report.statements)].join("<br>")}`;
}

const LONGEST_CELL = 120;
const MOST_FIELDS = 4;

/** A step as an item of a list: whatever the width of a screen is, none of it is cut. */
export function rowOf(step: StepReport, linkBase: string | null, what = whatOf(step)): string {
  const { action, title, place, people } = step;
  const name = place === null ? code(nameOf(step)) : link(code(nameOf(step)), place, linkBase);
  const isLinked = place !== null && linkBase !== null;
  const where = isLinked || placeOf(step) === "" ? [] : [code(placeOf(step))];
  const sign = SIGNS[action].sign.trim();
  const mark = sign === "" ? labelOf(step) : `${code(sign)} ${labelOf(step)}`;
  const below = [
    ...(people === null ? [] : [`${people.review === null ? "people: " : ""}**${inline(people.brief)}**`]),
    ...(what === "" ? [] : [what]),
    ...(title === "" ? [] : [inline(clipped(title, LONGEST_CELL))]),
  ];
  return [
    `- ${[`${mark} ${name}`, ...where].join(" ")}`,
    ...(below.length === 0 ? [] : [below.join(" · ")]),
  ].join("<br>");
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

function moreGuards(lost: readonly StepPiece[]): readonly string[] {
  return lost.length === 0 ? [] : [`- … and ${many(lost.length, "guard")} more`];
}

/** How many steps are not shown because the room is missing, and what they would do. */
function leftOut(
  lost: readonly StepPiece[],
  briefs: readonly StepPiece[],
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

function textOf({ text }: Piece): string {
  return text;
}

function lines(texts: readonly string[]): string {
  return texts.join("\n");
}
