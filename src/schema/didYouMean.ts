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
  const meant = nearlySame(word, known);
  return meant === undefined ? undefined : `Did you mean ${meant}?`;
}

/** What an address that nothing has may have meant, as a sentence; empty without any address. */
export function meantAddress(text: string, addresses: readonly string[]): string {
  const all = addresses.map((address) => {
    const at = address.indexOf("/");
    return { address, kind: address.slice(0, at), name: address.slice(at + 1) };
  });
  const slash = text.indexOf("/");
  const [kind, name] = [text.slice(0, Math.max(0, slash)), text.slice(slash + 1)];
  const ofKind = all.filter((one) => one.kind === kind);
  const among = ofKind.length > 0 ? ofKind : all;
  const names = among.map((one) => one.name);
  const words = slash < 0 ? [...all.map((one) => one.kind), ...names] : names;
  const meant = nearlySame(name, words);
  const isKind = all.some((one) => one.kind === meant);
  const named = isKind ? [meant] : among.filter((one) => one.name === meant).map((one) => one.address);
  if (named.length > 0) return `Did you mean ${named.slice(0, 3).join(" or ")}?`;
  const near = new Set(nearest(name, names).slice(0, 3));
  const shown = among.filter((one) => near.has(one.name)).slice(0, 3);
  return shown.length === 0 ? "" : `The nearest: ${shown.map((one) => one.address).join(", ")}.`;
}

/** The known word that is nearly the one written, or the only one that begins with it. */
export function nearlySame(word: string, known: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined;
  const low = word.toLowerCase();
  const [best] = known
    .map((one) => ({ one, away: typingErrors(low, one.toLowerCase()) }))
    .filter(({ one, away }) => away <= Math.max(1, Math.floor(Math.max(one.length, low.length) / 3)))
    .sort((a, b) => a.away - b.away || (a.one < b.one ? -1 : 1));
  if (best !== undefined) return best.one;
  const longer = known.filter((one) => low.length > 1 && one.toLowerCase().startsWith(low));
  return longer.length === 1 ? longer[0] : undefined;
}

/** How many letters are wrong, missing or too many; two that are swapped count as one. */
function typingErrors(word: string, text: string): number {
  const errors = distance(word, text);
  if (errors !== 2 || word.length !== text.length) return errors;
  const at = [...word].findIndex((letter, place) => letter !== text[place]);
  return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2) === text ? 1 : errors;
}
