import { distance } from "fastest-levenshtein";

// Suggested words are much shorter than this, and measuring distances of long words is slow.
const LONGEST = 100;

/** A suggestion, as a sentence, where one of the known words is nearly the one written. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined;
  const low = word.toLowerCase();
  const near = known
    .map((one) => ({ one, away: distance(low, one.toLowerCase()) }))
    .filter(({ one, away }) => away <= Math.max(1, Math.floor(Math.max(one.length, low.length) / 3)))
    .sort((a, b) => a.away - b.away || (a.one < b.one ? -1 : 1));
  const [best] = near;
  return best === undefined ? undefined : `Did you mean ${best.one}?`;
}
