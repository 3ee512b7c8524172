/** Controls, characters that reorder or hide text, line breaks of any sort, noncharacters, and halves of pairs. */
const HIDDEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** So many characters of one text are printed for readers: a name of the tenant may have millions. */
export const LONGEST = 10_000;

/** Formats for programs have more of it. A saved plan has all. */
const LONGEST_FOR_PROGRAMS = 100_000;

// Marks that make a pipeline treat a line of its log as a command: `##[error]`, `##vso[…]`, `##teamcity[…]`.
const COMMAND = /##(?=\w*\[)/g;

/** The beginning of a text that is longer than any form prints, with the number of characters that are left out. */
export function beginningOf(text: string, most = LONGEST): string {
  const left = text.length - most;
  return left > 0 ? `${text.slice(0, most)}… (${left} more characters)` : text;
}

/**
 * One line of text with nothing in it that a terminal would obey or a reader would not see: `\x1b`, `\u202e`. Of a very long
 * one only the beginning.
 */
export function visible(text: string): string {
  let most = LONGEST;
  let shown = spelled(text.slice(0, most));
  // A character that is spelled out takes up to twelve places.
  while (shown.length > LONGEST) {
    most = Math.floor((most * LONGEST) / shown.length);
    shown = spelled(text.slice(0, most));
  }
  return text.length > most ? `${shown}… (${text.length - most} more characters)` : shown;
}

function spelled(text: string): string {
  return text.replace(HIDDEN, (character) => SHORT[character] ?? escaped(character));
}

/** JSON whose values are as given, with the same characters spelled as JSON escapes. Of a very long text only the beginning. */
export function visibleJson(value: unknown): string {
  const bounded = (_name: string, inner: unknown) =>
    typeof inner === "string" ? beginningOf(inner, LONGEST_FOR_PROGRAMS) : inner;
  return escapedJson(JSON.stringify(value, bounded, 2));
}

/** The same as a whole document, in which no pipeline reads a command. */
export function boundedJson(value: unknown): string {
  return `${tameJson(visibleJson(value))}\n`;
}

/** JSON text with these characters spelled as JSON escapes: in it, only white space between values may be a line break. */
export function escapedJson(text: string): string {
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

/** One line of text that contains no command for a terminal or a pipeline's log; a reader sees every character. */
export function tame(text: string): string {
  return withoutCommands(visible(text));
}

/** The same for a text that is already visible, where two such texts are joined. */
export function withoutCommands(text: string): string {
  return text.replace(COMMAND, "##\\");
}

/** The same as a whole line of its own, whose beginning a pipeline could read as a command. */
export function tameLine(text: string): string {
  const line = tame(text);
  return `${marginOf("", line)}${line}`;
}

/** The same for each line of a text of several. */
export function tameLines(text: string): readonly string[] {
  return beginningOf(text).split("\n").map(tame);
}

/**
 * The margin before a line: a pipeline treats a line that starts with blanks and `::` as a command, so such a line
 * gets a visible character first.
 */
export function marginOf(blank: string, line: string): string {
  return line.trimStart().startsWith("::") && blank.trim() === "" ? `${blank.slice(0, -1)}│` : blank;
}

/** JSON text in which the same marks are escaped: the values stay equal, and no pipeline reads a command. */
export function tameJson(text: string): string {
  return text.replace(COMMAND, "#\\u0023");
}
