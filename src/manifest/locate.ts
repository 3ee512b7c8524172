import type { Diagnostic } from "../model/diagnostic.js";
import type { Path } from "../model/path.js";
import type { ValueDiagnostic } from "../schema/shape.js";
import { type Marks, membersOf, nameRange, type Range, valueRange, writtenRange } from "./marks.js";
import { readName } from "./name.js";
import type { Place } from "./resource.js";
import { placeAt, type Source } from "./source.js";

/** A document as far as places go: its text and where its values stand in it. */
export interface Written {
  readonly source: Source;
  readonly marks: Marks;
}

/** Lists and maps with more members than this are searched once, then looked up. */
const WIDE = 32;
const wideMembers = new WeakMap<Marks, Map<number, ReadonlyMap<string | number, number>>>();

/** The place a path leads to, of its name or its value; where it is not written, of what would hold it. */
export function locate(written: Written, path: Path, on: "name" | "value" = "value"): Place {
  const { index, depth } = find(written, path);
  const isValue = on === "value" && depth === path.length;
  const { source, marks } = written;
  return placeAt(source, ...(isValue ? valueRange(marks, index) : naming(marks, index)));
}

/** Where the value a path leads to is written, as offsets; where it is an alias, its anchor's value. */
export function writtenAt(written: Written, path: Path): Range {
  return writtenRange(written.marks, find(written, path).index);
}

/** A problem as a diagnostic, with its place and those of what it speaks of. */
export function toDiagnostic(written: Written, { path, on, related, ...fault }: ValueDiagnostic): Diagnostic {
  const placed = { ...fault, ...locate(written, path, on) };
  if (related === undefined) return placed;
  return {
    ...placed,
    related: related.map((other) => ({
      message: other.message,
      span: locate(written, other.path, "name").span,
    })),
  };
}

/** What shows a value best in few characters: its name; of an item the item; of a document its first name. */
function naming(marks: Marks, index: number): Range {
  const named = nameRange(marks, index);
  if (named[1] > named[0]) return named;
  if (index > 0) return valueRange(marks, index);
  const [first] = membersOf(marks, 0);
  return first === undefined ? valueRange(marks, 0) : naming(marks, first);
}

/** The index of the value a path leads to, or of the nearest enclosing one that is written, and how far it got. */
function find(written: Written, path: Path): { readonly index: number; readonly depth: number } {
  let index = 0;
  for (const [depth, name] of path.entries()) {
    const member = memberNamed(written, index, name);
    if (member === undefined) return { index, depth };
    index = member;
  }
  return { index, depth: path.length };
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
