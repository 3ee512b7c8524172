/** Controls, characters that reorder or hide text, line breaks of any sort, and halves of pairs. */
export const HIDDEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** One line of text with nothing in it that a terminal would obey or a reader would not see: `\x1b`, `\u202e`. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => SHORT[character] ?? escaped(character));
}

/** JSON whose values are as given, with the same characters spelled as JSON escapes. */
export function visibleJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.replace(HIDDEN, (character) => (character === "\n" ? character : units(character)));
}

function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point < 0x100 ? `\\x${point.toString(16).padStart(2, "0")}` : units(character);
}

/** A character as JSON escapes, one for each UTF-16 unit. */
export function units(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
