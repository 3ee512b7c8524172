import { distance } from "fastest-levenshtein";

// Suggested words are much shorter than this, and measuring distances of long words is slow.
const LONGEST = 100;

/** How far texts are from a word; what contains it, or is a good part of it, is nearer than all others. */
export function awayFrom(word: string): (text: string) => number {
  const low = word.toLowerCase().slice(0, LONGEST);
  return (written) => {
    const text = written.toLowerCase();
    // A name of two letters is in many words.
    const isPart = text.length * 2 >= low.length && low.includes(text);
    const isIn = text !== "" && (text.includes(low) || isPart);
    return distance(low, text.slice(0, LONGEST)) - (isIn ? LONGEST : 0);
  };
}

/** The words in order of how near they are to one. */
export function nearest(word: string, words: readonly string[]): readonly string[] {
  const away = awayFrom(word);
  return words
    .map((one) => ({ one, away: away(one) }))
    .sort((first, second) => first.away - second.away)
    .map(({ one }) => one);
}

/** The three words that are nearest to one, as a sentence after another; empty without any word. */
export function nearestInWords(word: string, words: readonly string[]): string {
  return words.length === 0 ? "" : ` The nearest: ${nearest(word, words).slice(0, 3).join(", ")}.`;
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
