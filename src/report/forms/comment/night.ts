import { laterDay } from "../../../schema/day.js";
import type { PlanReport, StepReport } from "../../plan/report.js";
import { nameOfUnmanaged } from "../../plan/words/unmanaged.js";
import { sentencesOf } from "../../statement.js";
import { bytesOf, fitting, type Piece } from "../../text/budget.js";
import { capitalised, code, inline, prose } from "../../text/escape.js";
import { many } from "../../text/layout.js";
import { barsBlock } from "../markdown/bars.js";
import { detailsOf } from "../markdown/details.js";
import { STEPS_HEAD } from "../markdown/row.js";
import { byDanger, driftRowOf } from "./drift.js";

/** What a nightly plan found, and what the comment calls it. */
export interface NightInComment {
  /** `PROJECT@TENANT`. */
  readonly name: string;
  readonly report: PlanReport;
  /** The address that the path of a file is added to; null for no links. */
  readonly linkBase: string | null;
}

/** For so many days before its end, an acknowledgement or an entry of `ignore:` is listed. */
const DAYS = 14;
/** The room for headings, and for what says what is left out. */
const NOTICES = 1500;

/** An entry of the project file with a last day. */
interface Ending {
  readonly setting: string;
  readonly until: string;
  readonly from: string;
}

/** The comment on an issue that a nightly run keeps up to date, within so many bytes. */
export function renderNights(nights: readonly NightInComment[], today: string, maxBytes: number): string {
  const room = maxBytes / Math.max(1, nights.length) - 2;
  return `${nights.map((night) => renderNight(night, today, room)).join("\n\n")}\n`;
}

/** What a night found in one line: `1 object drifted, 2 not managed, 1 entry of remit.yaml ends soon`. */
export function nightLine(report: PlanReport, today: string): string {
  const drifted = driftIn(report).length;
  const unmanaged = unmanagedIn(report).length;
  const ending = endingIn(report, today).length;
  const ended = endedIn(report, today).length;
  const { commits = null, more = 0 } = report.unapplied ?? {};
  const merged = (commits ?? []).length + more;
  const said = [
    ...(drifted === 0 ? [] : [`${many(drifted, "object")} drifted`]),
    ...(unmanaged === 0 ? [] : [`${many(unmanaged, "object")} not managed`]),
    ...(ending === 0
      ? []
      : [`${many(ending, "entry", "entries")} of remit.yaml ${ending === 1 ? "ends" : "end"} soon`]),
    ...(ended === 0 ? [] : [`${many(ended, "entry", "entries")} ended`]),
    ...(merged === 0 ? [] : [`${many(merged, "commit")} merged and not applied`]),
  ];
  if (said.length > 0) return said.join(", ");
  return unknownIn(report).length > 0 ? "nothing found in what could be read" : "nothing to do";
}

type Part = "drift" | "details" | "unmanaged" | "ending" | "ended" | "unknown";
type NightPiece = Piece & { readonly part: Part };

function renderNight({ name, report, linkBase }: NightInComment, today: string, maxBytes: number): string {
  const line = (part: Part, rank: number) => (text: string) => ({ part, rank, isInOrder: true, text });
  const drifted = byDanger(driftIn(report));
  const pieces: readonly NightPiece[] = [
    ...drifted.map((step) => driftRowOf(step, linkBase)).map(line("drift", 1)),
    ...drifted.map((step) => detailsOf(step, linkBase)).map(line("details", 3)),
    ...unmanagedIn(report).map(line("unmanaged", 2)),
    ...endingIn(report, today).map(endingLine).map(line("ending", 0)),
    ...endedIn(report, today).map(endingLine).map(line("ended", 1)),
    ...unknownIn(report).map(line("unknown", 0)),
  ];
  const { server, context, commit } = report;
  const facts = [
    ...(context === undefined ? [] : [`context ${code(context)}`]),
    code(server),
    ...(commit === null ? [] : [`commit ${code(commit.slice(0, 12))}`]),
  ];
  const head = [
    `### ${inline(name)}`,
    `**${inline(capitalised(nightLine(report, today)))}.**`,
    facts.join(" · "),
    ...(isCutOff(report) ? [] : saidOf(report, ["plan/unapplied"])),
    ...barsBlock(report.people?.spread ?? []).filter((block) => bytesOf(block) <= maxBytes / 4),
  ];
  const kept = fitting(pieces, Math.max(0, maxBytes - bytesOf(head.join("\n\n")) - NOTICES));
  const block = (part: Part, title: string): readonly string[] => {
    const own = pieces.filter((one) => one.part === part);
    if (own.length === 0) return [];
    const shown = own.filter((one) => kept.has(one)).map(({ text }) => text);
    const lost = own.length - shown.length;
    const table = part === "drift" ? [STEPS_HEAD] : [];
    const list = shown.length === 0 ? [] : [[...table, ...shown].join("\n")];
    return [title, ...list, ...(lost === 0 ? [] : [`… and ${lost} more.`])];
  };
  return [
    ...head,
    ...block("drift", report.refreshOnly ? DRIFT : `${DRIFT} ${REVERTED}`),
    ...pieces.filter((one) => one.part === "details" && kept.has(one)).map(({ text }) => text),
    ...block("unmanaged", UNMANAGED),
    ...block("ending", ENDING),
    ...block("ended", ENDED),
    ...block("unknown", "**Not known**"),
  ].join("\n\n");
}

const DRIFT = `**Drift.** The tenant was changed since the last apply. ${code("remit accept")} keeps the change, and ${code("remit apply")} reverts it.`;
const REVERTED = "Each row shows what an apply changes back.";
const UNMANAGED = `**Not managed.** Write a manifest with ${code("remit import")}, delete the object, or leave it out under ${code("ignore:")}.`;
const ENDING = `**Ends within ${DAYS} days.** Review each entry of remit.yaml: remove it, or give it a new ${code("until")}.`;
const ENDED = `**Ended.** These entries of remit.yaml permit nothing any more. Remove each, or review it and give it a new ${code("until")}.`;

function driftIn({ steps }: PlanReport): readonly StepReport[] {
  const differs = ({ cause }: StepReport["fields"][number]) => cause === "drifted" || cause === "both";
  return steps.filter((step) => step.isDrift || step.fields.some(differs));
}

function unmanagedIn({ unmanaged }: PlanReport): readonly string[] {
  return (unmanaged?.kinds ?? []).flatMap(({ kind, objects }) =>
    objects.map((one) => `- ${code(`${kind} ${nameOfUnmanaged(one)}`)} · ${code(one.key)}`),
  );
}

/** The acknowledgements and entries of `ignore:` that hold today and end soon, the first to end first. */
function endingIn(report: PlanReport, today: string): readonly Ending[] {
  const last = laterDay(today, DAYS);
  return entriesIn(report).filter(({ until }) => until >= today && until <= last);
}

/** Those that have ended, also since the plan was made. */
function endedIn(report: PlanReport, today: string): readonly Ending[] {
  return entriesIn(report).filter(({ until }) => until < today);
}

function entriesIn({ settings: { loosened, ended = [] } }: PlanReport): readonly Ending[] {
  return [...loosened, ...ended]
    .flatMap(({ setting, value, from }): readonly Ending[] => {
      const [, until] = /^until (\d{4}-\d\d-\d\d): /.exec(typeof value === "string" ? value : "") ?? [];
      return until === undefined ? [] : [{ setting, until, from }];
    })
    .toSorted((one, other) => (one.until < other.until ? -1 : 1));
}

function endingLine({ setting, until, from }: Ending): string {
  return `- ${until}: ${code(setting)} · ${code(from)}`;
}

/** What else the plan says: of no state, what could not be read, and what the run itself found. */
function unknownIn(report: PlanReport): readonly string[] {
  const { unmanaged, diagnostics } = report;
  const found = diagnostics.filter(({ severity }) => severity !== "note").map(({ code: name }) => name);
  const cut = isCutOff(report) ? ["plan/unapplied"] : [];
  return [
    ...saidOf(report, ["state/none", ...cut]),
    ...(unmanaged?.isWhole === true
      ? []
      : [prose("What is not managed was not looked for: plan with `--unmanaged`.")]),
    ...saidOf(report, ["plan/not-seen", ...found]),
  ].map((text) => `- ${text}`);
}

/** The statements with one of these codes, as sentences. */
function saidOf({ statements }: PlanReport, codes: readonly string[]): readonly string[] {
  return statements
    .filter(({ code: name }) => codes.includes(name))
    .flatMap((one) => sentencesOf(one).map(prose));
}

/** Whether the checkout did not show what was merged after the last apply. */
function isCutOff({ unapplied }: PlanReport): boolean {
  return unapplied?.commits === null;
}
