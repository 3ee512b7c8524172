import type { Path } from "../model/path.js";

/** The characters from the first offset up to, not including, the second. */
export type Range = readonly [start: number, end: number];

/** Where every value of a document stands: plain numbers, so that no node of the parser needs to live on. */
export interface Marks {
  /** Of each value in the order they are written: the member's name or list position it stands under. */
  readonly names: readonly (string | number)[];
  /** Of each value: where its name starts and ends, where it starts and ends, and `next`. */
  readonly numbers: Int32Array;
}

/** Marks in the making. */
export interface Draft {
  readonly names: (string | number)[];
  readonly numbers: number[];
}

/**
 * Numbers per value. The last, `next`, is the index after the value and all inside it; or, for an alias or a merged
 * member, whose insides are written elsewhere, `-1 - index` of the earlier value that holds them.
 */
const STRIDE = 5;
const NEXT = 4;

/** Lists and maps with more members than this are searched by name once, then looked up. */
const WIDE = 32;
const wideMembers = new WeakMap<Marks, Map<number, ReadonlyMap<string | number, number>>>();

/** Begins a value; everything marked until `close` stands inside it. Gives its index. */
export function open(draft: Draft, name: string | number, named: Range, start: number): number {
  const index = draft.names.length;
  draft.names.push(name);
  draft.numbers.push(named[0], named[1], start, start, index + 1);
  return index;
}

/** Ends a value that `open` began. */
export function close(draft: Draft, index: number, end: number): void {
  draft.numbers[index * STRIDE + 3] = end;
  draft.numbers[index * STRIDE + NEXT] = draft.names.length;
}

/** Marks a value whose insides are those of an earlier one. */
export function alias(
  draft: Draft,
  name: string | number,
  named: Range,
  [start, end]: Range,
  target: number,
): void {
  draft.names.push(name);
  draft.numbers.push(named[0], named[1], start, end, -1 - target);
}

/** The finished marks of a draft. */
export function finish(draft: Draft): Marks {
  return { names: draft.names, numbers: Int32Array.from(draft.numbers) };
}

/** The members of a value by index, those of an alias where they are written. */
export function* membersOf(marks: Marks | Draft, index: number): Generator<number> {
  const holder = holderOf(marks, index);
  const end = after(marks, holder);
  for (let at = holder + 1; at < end; at = after(marks, at)) yield at;
}

/** Where a value's name stands. */
export function nameRange({ numbers }: Marks | Draft, index: number): Range {
  return [numbers[index * STRIDE] ?? 0, numbers[index * STRIDE + 1] ?? 0];
}

/** Where a value stands. */
export function valueRange({ numbers }: Marks | Draft, index: number): Range {
  return [numbers[index * STRIDE + 2] ?? 0, numbers[index * STRIDE + 3] ?? 0];
}

/** Where a value is written, which is not where an alias to it stands. */
export function writtenRange(marks: Marks, index: number): Range {
  return valueRange(marks, holderOf(marks, index));
}

/** The index of the value a path leads to, or of the nearest enclosing one that is written, and how far it got. */
export function find(marks: Marks, path: Path): { readonly index: number; readonly depth: number } {
  let index = 0;
  for (const [depth, name] of path.entries()) {
    const member = memberNamed(marks, index, name);
    if (member === undefined) return { index, depth };
    index = member;
  }
  return { index, depth: path.length };
}

function memberNamed(marks: Marks, index: number, name: string | number): number | undefined {
  const known = wideMembers.get(marks)?.get(index);
  if (known !== undefined) return known.get(name);
  let passed = 0;
  for (const member of membersOf(marks, index)) {
    if (marks.names[member] === name) return member;
    passed += 1;
    if (passed > WIDE) return remember(marks, index).get(name);
  }
  return undefined;
}

function remember(marks: Marks, index: number): ReadonlyMap<string | number, number> {
  const byName = new Map<string | number, number>();
  for (const member of membersOf(marks, index)) {
    const name = marks.names[member] ?? "";
    if (!byName.has(name)) byName.set(name, member);
  }
  const ofMarks = wideMembers.get(marks) ?? new Map<number, ReadonlyMap<string | number, number>>();
  wideMembers.set(marks, ofMarks.set(index, byName));
  return byName;
}

function holderOf({ numbers }: Marks | Draft, index: number): number {
  let holder = index;
  for (let next = numbers[holder * STRIDE + NEXT] ?? 0; next < 0; next = numbers[holder * STRIDE + NEXT] ?? 0)
    holder = -1 - next;
  return holder;
}

function after({ numbers }: Marks | Draft, index: number): number {
  const next = numbers[index * STRIDE + NEXT] ?? 0;
  return next < 0 ? index + 1 : next;
}
