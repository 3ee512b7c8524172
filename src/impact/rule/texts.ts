import { NotRead } from "./notRead.js";
import { patternOf } from "./pattern.js";

/** Lowers the letters of ASCII alone. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Raises the letters of ASCII alone. */
export function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

// A rule asks with one pattern about everyone; one that is made from a person is not kept for long.
const PATTERNS_KEPT = 50;

/** `matches` of CEL, which translates each pattern once. */
export function matching(): (text: string, written: string) => boolean {
  const patterns = new Map<string, RegExp | null>();
  return (text, written) => {
    const pattern = patterns.get(written) ?? patternOf(written);
    if (patterns.size < PATTERNS_KEPT) patterns.set(written, pattern);
    return matches(text, pattern);
  };
}

function matches(text: string, pattern: RegExp | null): boolean {
  if (pattern === null) throw new NotRead("a regular expression that remit does not translate");
  return pattern.test(text);
}

// JavaScript has no U+0085 among its white space, and the mark of a byte order in addition.
const SPACES = "[\\p{White_Space}]+";
const OUTER_SPACES = new RegExp(`^${SPACES}|${SPACES}$`, "gu");

/** A text without the white space around it. */
export function trim(text: string): string {
  return text.replace(OUTER_SPACES, "");
}

/** The place of a part of a text, in signs: JavaScript counts halves of those beyond the first 65,536. */
export function indexOf(text: string, part: string, from = 0n): bigint {
  const [signs, wanted] = [[...text], [...part]];
  if (from < 0n || from > signs.length) throw new Error("out of range");
  return BigInt(placeOf(signs, wanted, Number(from), signs.length - wanted.length, 1));
}

/** The last place of a part of a text, in signs. */
export function lastIndexOf(text: string, part: string, to?: bigint): bigint {
  const [signs, wanted] = [[...text], [...part]];
  const last = signs.length - wanted.length;
  if (to !== undefined && (to < 0n || to >= signs.length)) throw new Error("out of range");
  return BigInt(placeOf(signs, wanted, Math.min(Number(to ?? last), last), 0, -1));
}

function placeOf(
  signs: readonly string[],
  wanted: readonly string[],
  from: number,
  to: number,
  step: 1 | -1,
): number {
  for (let at = from; step > 0 ? at <= to : at >= to; at += step) {
    if (wanted.every((sign, place) => signs[at + place] === sign)) return at;
  }
  return -1;
}

/** A part of a text, by places in signs. */
export function substring(text: string, start: bigint, end?: bigint): string {
  const signs = [...text];
  const [from, to] = [Number(start), Number(end ?? signs.length)];
  if (from < 0 || to > signs.length || to < from) throw new Error("out of range");
  return signs.slice(from, to).join("");
}
