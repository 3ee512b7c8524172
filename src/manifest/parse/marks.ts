/** The characters from the first offset up to, not including, the second. */
export type Range = readonly [start: number, end: number];

/**
 * Where every value of a document stands: plain numbers, so that no node of the parser needs to live on. Of each value
 * in the order they are written: where its name starts and ends, where it starts and ends, and `next`.
 */
export type Marks = Int32Array;

/** Marks in the making, with the name or list position of each value. */
export interface OpenMarks {
  readonly names: (string | number)[];
  readonly numbers: number[];
}

/**
 * Numbers per value. The last, `next`, is the index after the value and all inside it. The content of an alias or a
 * merged member is written elsewhere: its `next` is `-1 - index` of the earlier value that contains it.
 */
const STRIDE = 5;
const NEXT = 4;

/** Begins a value; everything marked until `close` stands inside it. Gives its index. */
export function open(openMarks: OpenMarks, name: string | number, named: Range, start: number): number {
  const index = openMarks.names.length;
  openMarks.names.push(name);
  openMarks.numbers.push(named[0], named[1], start, start, index + 1);
  return index;
}

/** Ends a value that `open` began. */
export function close(openMarks: OpenMarks, index: number, end: number): void {
  openMarks.numbers[index * STRIDE + 3] = end;
  openMarks.numbers[index * STRIDE + NEXT] = openMarks.names.length;
}

/** Marks a value whose insides are those of an earlier one. */
export function alias(
  openMarks: OpenMarks,
  name: string | number,
  named: Range,
  [start, end]: Range,
  target: number,
): void {
  openMarks.names.push(name);
  openMarks.numbers.push(named[0], named[1], start, end, -1 - target);
}

/** The marks once every value has ended. */
export function finish(openMarks: OpenMarks): Marks {
  return Int32Array.from(openMarks.numbers);
}

/** The members of a value by index, those of an alias where they are written. */
export function* membersOf(marks: Marks | readonly number[], index: number): Generator<number> {
  const holder = holderOf(marks, index);
  const end = after(marks, holder);
  for (let at = holder + 1; at < end; at = after(marks, at)) yield at;
}

/** Where a value's name stands; an empty range for an item of a list. */
export function nameRange(marks: Marks | readonly number[], index: number): Range {
  return [marks[index * STRIDE] ?? 0, marks[index * STRIDE + 1] ?? 0];
}

/** Where a value stands. */
export function valueRange(marks: Marks | readonly number[], index: number): Range {
  return [marks[index * STRIDE + 2] ?? 0, marks[index * STRIDE + 3] ?? 0];
}

/** Where a value is written, which is not where an alias to it stands. */
export function writtenRange(marks: Marks, index: number): Range {
  return valueRange(marks, holderOf(marks, index));
}

function holderOf(marks: Marks | readonly number[], index: number): number {
  let holder = index;
  for (let next = marks[holder * STRIDE + NEXT] ?? 0; next < 0; next = marks[holder * STRIDE + NEXT] ?? 0)
    holder = -1 - next;
  return holder;
}

function after(marks: Marks | readonly number[], index: number): number {
  const next = marks[index * STRIDE + NEXT] ?? 0;
  return next < 0 ? index + 1 : next;
}
