import { parseDocument } from "yaml";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Path } from "../model/path.js";
import type { ValueDiagnostic } from "../schema/shape.js";
import { type Marks, membersOf, nameRange, type Range, valueRange, writtenRange } from "./parse/marks.js";
import type { Place } from "./resource.js";
import { placeAt, type Source } from "./source.js";

/**
 * Where a value is written: its text, where the values of its document stand in it, and which of them it is. Parts of a
 * value that a shape or a named value gives are written elsewhere.
 */
export interface Written {
  readonly source: Source;
  readonly marks: Marks;
  /** The index of the value that paths count from; the document itself where it is left out. */
  readonly root?: number;
  /** The members that are written elsewhere, or at another position of a list. */
  readonly members?: ReadonlyMap<string | number, Written>;
  /** Where a manifest uses a value that is written here. */
  readonly use?: Written;
  /** What makes the value of several parts: `$text`, or an expression with the names of its `with` replaced. */
  readonly made?: "text" | "expression";
  /** Where the named values stand that were put into a text, an expression or a list. */
  readonly parts?: readonly Written[];
}

/** Lists and maps with more members than this are searched once, then looked up. */
const WIDE = 32;
const wideMembers = new WeakMap<Marks, Map<number, ReadonlyMap<string | number, number>>>();

/** The place a path leads to, of its name or its value; where it is not written, of what would hold it. */
export function locate(written: Written, path: Path, on: "name" | "value" = "value"): Place {
  const { at, index, depth, use, named } = find(written, path);
  const isWhole = depth === path.length;
  if (on === "name" && isWhole && named !== undefined) return placeAt(written.source, ...named);
  const { source, marks } = at;
  const isValue = on === "value" && isWhole;
  const place = placeAt(source, ...(isValue ? valueRange(marks, index) : naming(marks, index)));
  if (use === undefined) return place;
  const span = placeAt(use.source, ...valueRange(use.marks, use.root ?? 0)).span;
  return { ...place, related: [{ message: USED_HERE, span }] };
}

/**
 * The place that an author edits to change the value of a path. Where named values were put into a text, an expression or
 * a list, it is the first of them, and the manifest's own part is the related place.
 */
export function originOf(written: Written, path: Path): Place {
  const { at, depth } = find(written, path);
  const [part] = depth === path.length ? (at.parts ?? []) : [];
  if (part === undefined) return locate(written, path);
  const { span, excerpt } = locate(part, []);
  const related = [{ message: USED_HERE, span: locate(written, path).span }];
  return { span, ...(excerpt !== undefined && { excerpt }), related };
}

const USED_HERE = "the manifest uses it here";

/** Where the value a path leads to is written, as offsets of a text; where it is an alias, its anchor's value. */
export function writtenAt(written: Written, path: Path): { readonly source: Source; readonly range: Range } {
  const { at, index } = find(written, path);
  return { source: at.source, range: writtenRange(at.marks, index) };
}

/** The place of some characters of a text that a path leads to. */
export function locateCharacters(
  written: Written,
  path: Path,
  text: string,
  at: { readonly start: number; readonly end: number },
): Place {
  const {
    source,
    range: [start, end],
  } = writtenAt(written, path);
  const raw = source.text.slice(start, end);
  const offsets = offsetsIn(raw, text);
  if (offsets === undefined) {
    // `with` replaced other names of it.
    const word = text.slice(at.start, at.end);
    const found = raw.indexOf(word);
    return placeAt(source, start + Math.max(0, found), start + (found < 0 ? 1 : found + word.length));
  }
  const from = offsets[at.start] ?? 0;
  const to = offsets[at.end - 1] ?? from;
  return placeAt(source, start + from, start + to + 1);
}

/** Whether `$text` makes the value that a path leads to. */
export function isTextMadeAt(written: Written, path: Path): boolean {
  const { at, depth } = find(written, path);
  return depth === path.length && at.made === "text";
}

/** Where a member of a value is written, and what is inside it; of the value itself where the member is not written. */
export function memberOf(written: Written, name: string | number): Written {
  const { source, marks, root = 0, use, members } = written;
  const elsewhere = members?.get(name);
  const found = elsewhere ?? { source, marks, root: memberNamed(written, root, name) ?? root };
  return use === undefined ? found : usedAt(found, use);
}

/** What is written at one place and used at another. */
export function usedAt(written: Written, use: Written): Written {
  const { source, marks, root = 0, members, made, parts } = written;
  // Every row of a shape has one of these, and V8 gives each copy made by spreading a hidden class of its own.
  if (members === undefined && made === undefined && parts === undefined) return { source, marks, root, use };
  return { ...written, use };
}

/** A problem as a diagnostic, with its place and those of what it speaks of. */
export function toDiagnostic(written: Written, { path, on, related, ...fault }: ValueDiagnostic): Diagnostic {
  const placed = { ...fault, ...locate(written, path, on) };
  if (related === undefined) return placed;
  const others = related.map(({ message, path: other }) => ({
    message,
    span: locate(written, other, "name").span,
  }));
  return { ...placed, related: [...others, ...(placed.related ?? [])] };
}

/** What shows a value best in few characters: its name; of an item the item; of a document its first name. */
function naming(marks: Marks, index: number): Range {
  const named = nameRange(marks, index);
  if (named[1] > named[0]) return named;
  if (index > 0) return valueRange(marks, index);
  const [first] = membersOf(marks, 0);
  return first === undefined ? valueRange(marks, 0) : naming(marks, first);
}

/** What a path leads to, or the nearest enclosing value that is written. */
interface Found {
  readonly at: Written;
  readonly index: number;
  /** How much of the path was followed. */
  readonly depth: number;
  /** The outermost use of a value that is written elsewhere. */
  readonly use: Written | undefined;
  /** The name in the manifest's own text where the value behind it is written elsewhere. */
  readonly named: Range | undefined;
}

function find(written: Written, path: Path): Found {
  let at = written;
  let index = written.root ?? 0;
  let use = written.use;
  // Members that stand elsewhere are members of the value that paths count from.
  let { members } = written;
  let named: Range | undefined;
  for (const [depth, name] of path.entries()) {
    const elsewhere = members?.get(name);
    named = undefined;
    if (elsewhere !== undefined) {
      const member =
        typeof name === "string" && at.source === written.source ? memberNamed(at, index, name) : undefined;
      if (member !== undefined) named = nameRange(at.marks, member);
      at = elsewhere;
      index = elsewhere.root ?? 0;
      use ??= elsewhere.use;
      members = elsewhere.members;
      continue;
    }
    const member = memberNamed(at, index, name);
    if (member === undefined) return { at, index, depth, use, named };
    index = member;
    members = undefined;
  }
  return { at, index, depth: path.length, use, named };
}

function memberNamed(written: Written, index: number, name: string | number): number | undefined {
  const known = wideMembers.get(written.marks)?.get(index);
  if (known !== undefined) return known.get(name);
  let at = 0;
  for (const member of membersOf(written.marks, index)) {
    if (nameOf(written, member, at) === name) return member;
    at += 1;
    if (at > WIDE) return remember(written, index).get(name);
  }
  return undefined;
}

function remember(written: Written, index: number): ReadonlyMap<string | number, number> {
  const byName = new Map<string | number, number>();
  let at = 0;
  for (const member of membersOf(written.marks, index)) {
    const name = nameOf(written, member, at);
    if (!byName.has(name)) byName.set(name, member);
    at += 1;
  }
  const ofMarks = wideMembers.get(written.marks) ?? new Map<number, ReadonlyMap<string | number, number>>();
  wideMembers.set(written.marks, ofMarks.set(index, byName));
  return byName;
}

/** The name a member is written under, or its position in a list. */
function nameOf({ source, marks }: Written, member: number, at: number): string | number {
  const [start, end] = nameRange(marks, member);
  return end > start ? readName(source.text.slice(start, end)) : at;
}

/** The name of a member from its characters in the file: as they are, or without their quotes and escapes. */
function readName(raw: string): string {
  const first = raw.charAt(0);
  return first === '"' || first === "'" ? String(parseDocument(raw, { schema: "failsafe" }).toJS()) : raw;
}

/**
 * Where each character of a text is in its YAML, counted from the start of `raw`, and last where the text ends.
 * Undefined where the two do not belong together.
 *
 * @param raw the text as written: with its quotes, escapes and folds, or from the `|` or `>` of a block on
 */
export function offsetsIn(raw: string, text: string): readonly number[] | undefined {
  const first = raw[0];
  if (first === "|" || first === ">") return blockOffsets(raw, text);
  if (first === '"') return flowOffsets(raw, text, 1, readEscape);
  if (first === "'") return flowOffsets(raw, text, 1, readQuote);
  return flowOffsets(raw, text, 0, () => undefined);
}

/** How many characters of `raw` stand for how many of the text, where that is not one for one. */
type Special = (raw: string, at: number) => { readonly taken: number; readonly given: number } | undefined;

const FOLD = /[ \t]*\r?\n[ \t\r\n]*/y;
const ESCAPED_BREAK = /\\\r?\n[ \t]*/y;
const ESCAPE = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)/sy;

function flowOffsets(
  raw: string,
  text: string,
  from: number,
  special: Special,
): readonly number[] | undefined {
  const offsets: number[] = [];
  let at = from;
  while (offsets.length < text.length) {
    const start = at;
    const found = special(raw, at) ?? fold(raw, at);
    if (found === undefined && raw[at] !== text[offsets.length]) return undefined;
    at += found?.taken ?? 1;
    for (let given = found?.given ?? 1; given > 0; given -= 1) offsets.push(start);
  }
  return [...offsets.slice(0, text.length), at];
}

/** Line ends with the blanks around them: one is a space, several are one line end less. */
function fold(raw: string, at: number) {
  const taken = match(FOLD, raw, at);
  if (taken === undefined) return undefined;
  return { taken: taken.length, given: Math.max(1, taken.split("\n").length - 2) };
}

function readEscape(raw: string, at: number) {
  const lineBreak = match(ESCAPED_BREAK, raw, at);
  if (lineBreak !== undefined) return { taken: lineBreak.length, given: 0 };
  const code = match(ESCAPE, raw, at);
  if (code === undefined) return undefined;
  const isWide = code[1] === "U" && Number.parseInt(code.slice(2), 16) > 0xffff;
  return { taken: code.length, given: isWide ? 2 : 1 };
}

function readQuote(raw: string, at: number) {
  return raw.startsWith("''", at) ? { taken: 2, given: 1 } : undefined;
}

/** Tries each indentation the block may have: the one it has reproduces the text. */
function blockOffsets(raw: string, text: string): readonly number[] | undefined {
  const content = raw.indexOf("\n") + 1;
  const lines = raw.slice(content).split("\n");
  const first =
    lines.find((line) => line.trim() !== "") ??
    lines.reduce((one, other) => (other.length > one.length ? other : one));
  const widest = first.length - first.trimStart().length;
  for (let indent = widest; indent >= 0; indent -= 1) {
    const offsets = indentedOffsets(raw, text, content, indent);
    if (offsets !== undefined) return offsets;
  }
  return undefined;
}

function indentedOffsets(
  raw: string,
  text: string,
  from: number,
  indent: number,
): readonly number[] | undefined {
  const offsets: number[] = [];
  let at = afterIndent(raw, from, indent);
  while (offsets.length < text.length) {
    const char = text[offsets.length];
    const lineEnd = match(LINE_END, raw, at);
    if (lineEnd !== undefined) {
      // Folding drops the line end of an empty line; every other one stays or becomes a space.
      if (char === "\n" || char === " ") offsets.push(at);
      at = afterIndent(raw, at + lineEnd.length, indent);
    } else if (raw[at] === char || (at === raw.length && char === "\n")) {
      offsets.push(at);
      at = Math.min(at + 1, raw.length);
    } else return undefined;
  }
  return [...offsets, at];
}

const LINE_END = /\r?\n/y;

function afterIndent(raw: string, at: number, indent: number): number {
  let after = at;
  while (after < at + indent && raw[after] === " ") after += 1;
  return after;
}

function match(pattern: RegExp, raw: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(raw)?.[0];
}
