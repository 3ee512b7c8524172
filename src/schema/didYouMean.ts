import { distance } from "fastest-levenshtein";

// Suggested words are much shorter than this, and measuring distances of long words is slow.
const LONGEST = 100;

/** The items in order of how near their texts are to a word; what contains it, or is contained in it, comes first. */
export function nearest<T>(
  word: string,
  items: readonly T[],
  textsOf: (item: T) => readonly string[],
): readonly T[] {
  const low = word.toLowerCase().slice(0, LONGEST);
  const away = (text: string) =>
    distance(low, text.slice(0, LONGEST)) -
    (text !== "" && (text.includes(low) || low.includes(text)) ? LONGEST : 0);
  return items
    .map((item) => ({ item, away: Math.min(...textsOf(item).map((text) => away(text.toLowerCase()))) }))
    .sort((one, other) => one.away - other.away)
    .map(({ item }) => item);
}

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
