import { beginningOf, visible } from "./visible.js";

// Marks that make a pipeline treat a line of its log as a command: `##[error]`, `##vso[…]`, `##teamcity[…]`.
const COMMAND = /##(?=\w*\[)/g;

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
