import type { Finder, Named } from "../../kinds/named.js";
import { onceFor } from "../../model/onceFor.js";
import { byName, type Candidates, makeCandidates, textsOf } from "./candidates.js";

/** Takes what the rows of a list show, one by one, and makes candidates of it. */
export interface Roster {
  add(one: Named): void;
  candidates(): Candidates;
}

/** So many rows are held as objects; a longer list is held as its bytes. */
const MOST_OBJECTS = 10_000;

/** Makes a roster for a list of any length. */
export function makeRoster(most = MOST_OBJECTS): Roster {
  const few: Named[] = [];
  let packed: Roster | null = null;
  return {
    add(one) {
      if (packed === null && few.length === most) {
        packed = makePacked();
        for (const known of few.splice(0)) packed.add(known);
      }
      if (packed === null) few.push(one);
      else packed.add(one);
    },
    candidates: () => packed?.candidates() ?? makeCandidates(few),
  };
}

const CHUNK = 1 << 20;
const LINE_END = 10;

/** A row's number and a hash of its text are one number, which sorts fast. */
const ROWS = 2 ** 25;

/** Holds rows as their bytes, one after the other. A row is an object again only while it is looked at. */
function makePacked(): Roster {
  const chunks: Uint8Array[] = [];
  const starts: number[] = [];
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let end = CHUNK;

  function add(one: Named): void {
    // The spelling of a row contains no line end, so a line end divides rows.
    const bytes = encoder.encode(`${JSON.stringify(one)}\n`);
    if (end + bytes.length > CHUNK) {
      chunks.push(new Uint8Array(Math.max(CHUNK, bytes.length)));
      end = 0;
    }
    starts.push((chunks.length - 1) * CHUNK + end);
    chunks[chunks.length - 1]?.set(bytes, end);
    end += bytes.length;
  }

  function rowAt(row: number): Named {
    const start = starts[row] ?? 0;
    const chunk = chunks[Math.floor(start / CHUNK)] ?? new Uint8Array();
    const from = start % CHUNK;
    return JSON.parse(decoder.decode(chunk.subarray(from, chunk.indexOf(LINE_END, from)))) as Named;
  }

  function candidates(): Candidates {
    const byId = indexed(starts.length, rowAt, (one) => [one.id]);
    // A row that is on two pages of a list stands for one object: the last one counts.
    const repeated = new Set<number>();
    for (const rows of byId.shared()) {
      const last = new Map(rows.map((row) => [rowAt(row).id, row]));
      for (const row of rows) if (last.get(rowAt(row).id) !== row) repeated.add(row);
    }
    // What has no id cannot be meant.
    for (const row of byId.rowsOf("")) if (rowAt(row).id === "") repeated.add(row);
    const indexBy = onceFor((by: Finder) => indexed(starts.length, rowAt, (one) => textsOf(one, by)));
    return {
      size: starts.length - repeated.size,
      *every() {
        for (let row = 0; row < starts.length; row += 1) if (!repeated.has(row)) yield rowAt(row);
      },
      withId(id) {
        const rows = byId.rowsOf(id).filter((row) => !repeated.has(row));
        return rows.map(rowAt).find((one) => one.id === id);
      },
      called(by, text) {
        const rows = indexBy(by)
          .rowsOf(text)
          .filter((row) => !repeated.has(row));
        return rows
          .map(rowAt)
          .filter((one) => textsOf(one, by).has(text))
          .sort(byName);
      },
    };
  }

  return { add, candidates };
}

interface Index {
  /** The rows that may have that text, in order, and few others. */
  rowsOf(text: string): readonly number[];
  /** Groups of rows whose texts may be the same. */
  shared(): Iterable<readonly number[]>;
}

/** Finds rows by a text: their numbers, in the order of the hashes of their texts. */
function indexed(
  count: number,
  rowAt: (row: number) => Named,
  textsOf: (one: Named) => Iterable<string>,
): Index {
  const entries: number[] = [];
  for (let row = 0; row < count; row += 1)
    for (const text of textsOf(rowAt(row))) entries.push(hashOf(text) * ROWS + row);
  const sorted = Float64Array.from(entries).sort();
  const hashAt = (place: number) => Math.floor((sorted[place] ?? 0) / ROWS);
  const rowsFrom = (first: number): readonly number[] => {
    let last = first;
    while (last + 1 < sorted.length && hashAt(last + 1) === hashAt(first)) last += 1;
    return [...sorted.subarray(first, last + 1)].map((entry) => entry % ROWS);
  };
  return {
    rowsOf(text) {
      const hash = hashOf(text);
      let [low, high] = [0, sorted.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (hashAt(middle) < hash) low = middle + 1;
        else high = middle;
      }
      return low < sorted.length && hashAt(low) === hash ? rowsFrom(low) : [];
    },
    *shared() {
      for (let first = 0; first < sorted.length; ) {
        const rows = rowsFrom(first);
        if (rows.length > 1) yield rows;
        first += rows.length;
      }
    },
  };
}

/** 28 bits of a text, by the method of Fowler, Noll and Vo. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 4;
}
