import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import { marginOf } from "./tame.js";

const NARROWEST = 20;
const WIDEST = 120;

/** The columns to use: longer lines are hard to read, shorter ones have too little room. */
export function usable(columns: number): number {
  return Number.isFinite(columns) ? Math.min(WIDEST, Math.max(NARROWEST, columns)) : columns;
}

/** A line of text, wrapped by what the eye counts, every line behind an indent, further ones behind a deeper one; no web address or path is broken. */
export function wrap(text: string, columns: number, indent: string, hanging = indent): readonly string[] {
  const room = Math.max(1, columns - Math.max(stringWidth(indent), stringWidth(hanging)));
  const isShort = stringWidth(text) <= room;
  const lines = isShort ? [text] : linesOf(text, room);
  return lines.map((line, at) => `${marginOf(at === 0 ? indent : hanging, line)}${line}`.trimEnd());
}

// A reader copies a web address or a path from the screen, so it stays whole, on a line of its own if it is too long.
const WHOLE = /https?:\/\/|[\w.-]\/[\w.-]/;

function linesOf(text: string, room: number): readonly string[] {
  const hard = (line: string) => wrapAnsi(line, room, { hard: true }).split("\n");
  if (!WHOLE.test(text)) return hard(text);
  const lines = wrapAnsi(text, room).split("\n");
  return lines.flatMap((line) => (WHOLE.test(line) ? [line] : hard(line)));
}

/** A line of a value, wrapped behind its sign with its own margin kept, up to a third of the page. */
export function wrapValue(
  line: string,
  columns: number,
  indent: string,
  role: (text: string) => string = (text) => text,
): readonly string[] {
  const margin = /^ */.exec(line)?.[0].slice(0, columns / 3) ?? "";
  const hanging = " ".repeat(stringWidth(indent));
  return wrap(role(line.trimStart()), columns, `${indent}${margin}`, `${hanging}${margin}`);
}

/** A text with another at the right edge: on the last line if there is room, otherwise below it. */
export function beside(
  left: string,
  right: string,
  columns: number,
  indent: string,
  hanging = indent,
): readonly string[] {
  const lines = wrap(left, columns, indent, hanging);
  if (right === "") return lines;
  const last = lines.at(-1) ?? "";
  if (!Number.isFinite(columns)) return [...lines.slice(0, -1), `${last}  ${right}`];
  const gap = columns - stringWidth(last) - stringWidth(right);
  if (gap >= 2) return [...lines.slice(0, -1), `${last}${" ".repeat(gap)}${right}`];
  const room = columns - stringWidth(hanging);
  if (stringWidth(right) > room) return [...lines, ...wrap(right, columns, hanging)];
  return [...lines, `${marginOf(" ".repeat(columns - stringWidth(right)), right)}${right}`];
}

/** `1 call`, `2 calls`. */
export function many(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}
