import { moreOf } from "../../../words/more.js";
import { bytesOf, fitting, type Piece } from "../../text/budget.js";
import { capitalised, code, inline, prose } from "../../text/escape.js";
import { DAYS, type EndingEntry, type NightView } from "../../view/night.js";
import { barsBlock } from "../markdown/bars.js";
import { detailsOf } from "../markdown/details.js";
import { factsLine } from "../markdown/facts.js";
import { rowOf, STEPS_HEAD, whatOf } from "../markdown/row.js";

/** What a nightly plan found, and what the comment calls it. */
export interface NightInComment {
  /** `PROJECT@TENANT`. */
  readonly name: string;
  readonly night: NightView;
  /** The address that the path of a file is added to; null for no links. */
  readonly linkBase: string | null;
}

/** The room for headings, and for what says what is left out. */
const NOTICES = 1500;

/** The comment on an issue that a nightly run keeps up to date, within so many bytes. */
export function renderNights(nights: readonly NightInComment[], maxBytes: number): string {
  const room = maxBytes / Math.max(1, nights.length) - 2;
  return `${nights.map((night) => renderNight(night, room)).join("\n\n")}\n`;
}

type Part = "drift" | "details" | "unmanaged" | "ending" | "ended" | "unknown";
type NightPiece = Piece & { readonly part: Part };

function renderNight({ name, night, linkBase }: NightInComment, maxBytes: number): string {
  const line = (part: Part, rank: number) => (text: string) => ({ part, rank, isInOrder: true, text });
  const { drifted, unmanaged, ending, ended, unknown } = night;
  const pieces: readonly NightPiece[] = [
    ...drifted
      .map(({ step, isDangerous }) =>
        rowOf(step, linkBase, `${isDangerous ? "⚠ " : ""}${whatOf(step, true)}`),
      )
      .map(line("drift", 1)),
    ...drifted.map(({ step }) => detailsOf(step, linkBase)).map(line("details", 3)),
    ...unmanaged.map((one) => `- ${code(one.name)} · ${code(one.key)}`).map(line("unmanaged", 2)),
    ...ending.map(endingLine).map(line("ending", 0)),
    ...ended.map(endingLine).map(line("ended", 1)),
    ...unknown.map((text) => `- ${prose(text)}`).map(line("unknown", 0)),
  ];
  const head = [
    `### ${inline(name)}`,
    `**${inline(capitalised(night.line))}.**`,
    factsLine(night.facts),
    ...night.unapplied.map(prose),
    ...barsBlock(night.spread).filter((block) => bytesOf(block) <= maxBytes / 4),
  ];
  const kept = fitting(pieces, Math.max(0, maxBytes - bytesOf(head.join("\n\n")) - NOTICES));
  const block = (part: Part, title: string): readonly string[] => {
    const own = pieces.filter((one) => one.part === part);
    if (own.length === 0) return [];
    const shown = own.filter((one) => kept.has(one)).map(({ text }) => text);
    const table = part === "drift" ? [STEPS_HEAD] : [];
    const list = shown.length === 0 ? [] : [[...table, ...shown].join("\n")];
    return [title, ...list, ...moreOf(own.length - shown.length)];
  };
  return [
    ...head,
    ...block("drift", night.isReverted ? `${DRIFT} ${REVERTED}` : DRIFT),
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

function endingLine({ setting, until, from }: EndingEntry): string {
  return `- ${until}: ${code(setting)} · ${code(from)}`;
}
