import { diffWordsWithSpace } from "diff";
import type { Word } from "../plan/report.js";
import type { Paint } from "./paint.js";
import { tame, withoutCommands } from "./visible.js";

/** A line of a text that was compared. */
interface Line {
  readonly text: string;
  readonly isChanged: boolean;
}

// A longer comparison takes more time than its result is worth; the time grows with both lengths.
const LONGEST = 20_000;

const MOST_EDITS = 400;

/** A text's lines with its changed words marked as `[-old-]{+new+}`; those far from any change become one `…`. */
export function markWords(words: readonly Word[], paint: Paint): readonly Line[] {
  const lines = linesFrom(words, paint);
  const isNear = (at: number) => [at - 1, at, at + 1].some((place) => lines[place]?.isChanged === true);
  return lines.flatMap(({ text, isChanged }, at) => {
    if (isNear(at)) return [{ text: withoutCommands(text), isChanged }];
    return at === 0 || isNear(at - 1) ? [{ text: paint("frame", "…"), isChanged: false }] : [];
  });
}

function linesFrom(words: readonly Word[], paint: Paint): readonly Line[] {
  const lines: Line[] = [];
  let line: Line = { text: "", isChanged: false };
  for (const { as, text } of words) {
    const parts = text.split("\n");
    for (const [place, part] of parts.entries()) {
      if (place > 0) {
        lines.push(line);
        line = { text: "", isChanged: false };
      }
      // A line break that is added or removed is shown.
      const isBroken = as !== "same" && place < parts.length - 1;
      const shown = `${tame(part)}${isBroken ? "⏎" : ""}`;
      line = {
        text: line.text + mark(as, shown, paint),
        isChanged: line.isChanged || (as !== "same" && shown !== ""),
      };
    }
  }
  return [...lines, line];
}

function mark(as: Word["as"], text: string, paint: Paint): string {
  if (as === "same" || text === "") return text;
  return as === "added" ? paint("added", `{+${text}+}`) : paint("removed", `[-${text}-]`);
}

/** Two texts compared word by word; null if they have too little in common to be readable. */
export function compareWords(before: string, after: string): readonly Word[] | null {
  if (before.length + after.length > LONGEST) return null;
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS });
  if (parts === undefined) return null;
  const words = parts.map(({ value, added, removed }): Word => {
    return { as: added ? "added" : removed ? "removed" : "same", text: value };
  });
  return lettersOf(words, "same") * 4 < Math.max(lettersOf(words, "added"), lettersOf(words, "removed"))
    ? null
    : words;
}

function lettersOf(words: readonly Word[], as: Word["as"]): number {
  return words.reduce((sum, word) => sum + (word.as === as ? word.text.replace(/\W/g, "").length : 0), 0);
}
