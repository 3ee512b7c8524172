import { diffWordsWithSpace } from "diff";
import type { Word } from "../plan/report.js";

// A longer comparison takes more time than its result is worth; the time grows with both lengths.
const LONGEST = 20_000;
const MOST_EDITS = 400;

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
