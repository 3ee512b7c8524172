import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import { beginningOf, LONGEST, marginOf } from "./visible.js";

const NARROWEST = 20;
const WIDEST = 120;

/** The columns to use: longer lines are hard to read, shorter ones have too little room. */
export function usable(columns: number): number {
  return Number.isFinite(columns) ? Math.min(WIDEST, Math.max(NARROWEST, columns)) : columns;
}

// A noncharacter that Unicode keeps for use inside a program, as wide as the space that it stands for.
const BOUND = "\ufdd0";

/** A text that `wrap` does not break at its spaces. */
export function bound(text: string): string {
  return text.replaceAll(" ", BOUND);
}

/** A line of text, wrapped by what the eye counts, every line behind an indent, further ones behind a deeper one; no web address or path is broken. */
export function wrap(text: string, columns: number, indent: string, hanging = indent): readonly string[] {
  const room = Math.max(1, columns - Math.max(widthOf(indent), widthOf(hanging)));
  const lines = isShort(text, room) ? [text] : linesOfPieces(piecesOf(text), room);
  const shown = lines.map((line) => line.replaceAll(BOUND, " "));
  return shown.map((line, at) => `${marginOf(at === 0 ? indent : hanging, line)}${line}`.trimEnd());
}

/** The lines of the pieces of one text: a piece goes on in the last line of the one before it. */
function linesOfPieces(pieces: readonly string[], room: number): readonly string[] {
  const lines: string[] = [];
  let begun = "";
  for (const [at, piece] of pieces.entries()) {
    lines.push(...linesOf(begun + piece, room));
    if (at === pieces.length - 1) break;
    const last = lines.pop() ?? "";
    begun = piece.endsWith(" ") && !last.endsWith(" ") ? `${last} ` : last;
  }
  return lines;
}

// A reader copies a web address or a path from the screen, so it stays whole, on a line of its own if it is too long.
const WHOLE = /https?:\/\/|[\w.-]\/[\w.-]/;

function linesOf(text: string, room: number): readonly string[] {
  const hard = (line: string) => wrapAnsi(line, room, { hard: true }).split("\n");
  if (!WHOLE.test(text)) return hard(text);
  const lines = wrapAnsi(text, room).split("\n");
  return lines.flatMap((line) => (WHOLE.test(line) ? [line] : hard(line)));
}

/** So many characters are measured and broken into lines at a time: the time for both grows faster than a text does. */
const PIECE = 500;
function isShort(text: string, room: number): boolean {
  return !Number.isFinite(room) || widthOf(text) <= room;
}

// ASCII and the signs that remit writes: each takes one column, and to measure any other text takes far longer.
const PLAIN = new RegExp(`^[\x20-\x7e${BOUND}…‹›│┌├✓✗·−±×–—→]*$`, "u");

/** The columns that a text takes; a long one is not measured, because it fits nowhere. */
export function widthOf(text: string): number {
  return text.length > PIECE || PLAIN.test(text) ? text.length : stringWidth(text);
}

/** Of several texts in one line, so many characters are laid out: one text, with the number of those that it left out. */
const MOST = LONGEST + 100;

/** A text in pieces that end at a space where there is one, and never within a pair or an escape sequence. */
function piecesOf(text: string): readonly string[] {
  const whole = beginningOf(text, MOST);
  const pieces: string[] = [];
  for (let at = 0; at < whole.length; ) {
    const piece = whole.slice(at, at + PIECE);
    const isLast = at + PIECE >= whole.length;
    const space = piece.lastIndexOf(" ");
    const end = isLast ? piece.length : space > PIECE / 2 ? space + 1 : piece.length - cutOff(piece);
    pieces.push(piece.slice(0, end));
    at += end;
  }
  return pieces;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const CUT_OFF = /(?:[\ud800-\udbff]|\u001b[^m]{0,12})$/;

/** How many characters at the end of a piece begin what the next piece ends: half a pair, or an escape sequence. */
function cutOff(piece: string): number {
  return CUT_OFF.exec(piece)?.[0].length ?? 0;
}

/** A line of a value, wrapped behind its sign with its own margin kept, up to a third of the page. */
export function wrapValue(
  line: string,
  columns: number,
  indent: string,
  role: (text: string) => string = (text) => text,
): readonly string[] {
  const margin = /^ */.exec(line)?.[0].slice(0, columns / 3) ?? "";
  const hanging = " ".repeat(widthOf(indent));
  return wrap(role(line.trimStart()), columns, `${indent}${margin}`, `${hanging}${margin}`);
}

/** A text with another behind it: on the last line if there is room, otherwise below it. */
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
  if (!isShort(`${last}  ${right}`, columns)) return [...lines, ...wrap(right, columns, hanging)];
  return [...lines.slice(0, -1), `${last}  ${right}`];
}

/** `1 call`, `2 calls`. */
export function many(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}

/** A text of at most so many characters; an ellipsis ends one that is cut. */
export function clipped(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}
