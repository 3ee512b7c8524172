import { visible } from "./visible.js";

// Marks by which a pipeline takes a line of its log for a command: `##[error]`, `##vso[…]`, `##teamcity[…]`.
const COMMAND = /##(?=\w*\[)/g;

/** One line of text in which neither a terminal nor a pipeline's log finds anything to obey, and a reader sees all. */
export function tame(text: string): string {
  return withoutCommands(visible(text));
}

/** The same of a text that is visible already, for where two such meet. */
export function withoutCommands(text: string): string {
  return text.replace(COMMAND, "##\\");
}

/** The same for each line of a text of several. */
export function tameLines(text: string): readonly string[] {
  return text.split("\n").map(tame);
}

/**
 * The margin to put before a line: a pipeline takes one that begins with `::`, blanks aside, for a command, so
 * something stands before it then.
 */
export function marginOf(blank: string, line: string): string {
  return line.trimStart().startsWith("::") && blank.trim() === "" ? `${blank.slice(0, -1)}│` : blank;
}

/** JSON text with the same marks spelled so that they are values still, and commands no longer. */
export function tameJson(text: string): string {
  return text.replace(COMMAND, "#\\u0023");
}
