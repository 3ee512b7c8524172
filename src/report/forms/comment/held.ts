import type { Diagnostic } from "../../../model/diagnostic.js";
import { capitalised, code, inline, prose } from "../../text/escape.js";

/** A merge that is not applied, and its pull request where one brought it. */
interface Held {
  readonly number: number | null;
  readonly base: string;
  readonly commit: string;
}

/** A merge that is refused, why, and the merges behind it. */
interface HeldBack {
  /** `PROJECT@TENANT`. */
  readonly name: string;
  readonly refused: Held & { readonly why: Diagnostic };
  readonly waiting: readonly Held[];
}

/** What the pull request of a merge hears that is refused, or that waits: plain text for the history, and the comment. */
export function renderHeld(
  { name, refused, waiting }: HeldBack,
  held: Held,
): { readonly line: string; readonly text: string } {
  const { why } = refused;
  const isRefused = held.commit === refused.commit;
  const line = isRefused ? "Not applied" : `Waiting behind ${nameOf(refused)}`;
  const next = isRefused
    ? [
        ...(why.hint === undefined ? [] : [prose(why.hint)]),
        `The manual job takes ${code(`base: ${refused.base}`)} and ${code(`commit: ${refused.commit}`)}.`,
        ...(waiting.length === 0 ? [] : [inline(`Behind it: ${waiting.map(nameOf).join(", ")}.`)]),
      ]
    : [inline(`Nothing of this change is applied yet. It is applied after ${nameOf(refused)}.`)];
  const text = [`### ${inline(name)}`, `**${inline(line)}.** ${prose(sentence(why.message))}`, ...next].join(
    "\n\n",
  );
  return { line, text: `${text}\n` };
}

function nameOf({ number, commit }: Held): string {
  return number === null ? `the commit ${commit.slice(0, 12)}` : `#${number}`;
}

function sentence(text: string): string {
  return `${capitalised(text)}.`;
}
