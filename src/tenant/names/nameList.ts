import type { Listing, Single } from "../../kinds/listing.js";
import type { Finder, Named } from "../../kinds/named.js";
import type { Call } from "../../model/call.js";
import type { Json } from "../../model/json.js";
import { unfitCharacter } from "../../model/key.js";
import { onceFor } from "../../model/onceFor.js";
import type { Target } from "../../schema/shape.js";
import { makeBatchById } from "../batchById.js";
import type { Fetched } from "../fetched.js";
import type { Reader } from "../reader.js";
import type { Need } from "../reads.js";
import { byName, type Candidates, makeCandidates, textsOf } from "./candidates.js";

/** Takes what the rows of a list show, one by one, and makes candidates of it. */
interface Roster {
  add(one: Named): void;
  candidates(): Candidates;
}

/** So many rows are held as objects; a longer list is held as its bytes. */
const MOST_OBJECTS = 10_000;

/** The list in which names of one sort are found; it is read to its end only where that takes the fewest calls. */
export interface NameList {
  /**
   * What has that name. Where the list has more than a page, the object that it probably means is checked by its id. As
   * long as that one has the name, remit looks for no other.
   */
  find(by: Finder, text: string, probable: string | null): Promise<Fetched<Candidates>>;
  /** The whole list; null as long as it was not read to its end. */
  whole(): Candidates | null;
}

/** What the list is read for. */
interface NameListOptions {
  readonly target: Target;
  /** Empty where objects of that sort belong to no app. */
  readonly app: string;
  readonly list: Listing;
  readonly purpose: string;
  readonly reader: Reader;
  /** Whether single objects and searches are offered: `core` has the list only. */
  readonly hasMore: boolean;
  /** Sees each row that shows an object. */
  readonly meet: (row: Json, one: Named) => void;
}

/** So many names are worth one page of the list: searches are sent at once, pages one after the other. */
const NAMES_PER_PAGE = 2;

/**
 * Reads a list page by page as long as the names that are wanted are worth it, and then searches for each of them. A
 * search counts where it shows the name exactly: what was made a moment ago it may not show yet.
 */
export function makeNameList(options: NameListOptions): NameList {
  const { app, list, purpose, reader, hasMore, meet } = options;
  const check = hasMore ? checkOf(options, keep) : null;
  const searched = new Set<string>();
  let isWholeWanted = false;
  let isLong = false;
  let whole: Candidates | null = null;
  let beginning: Promise<void> | null = null;
  let reading: Promise<Fetched<Candidates> | null> | null = null;
  let readingAll: Promise<Fetched<Candidates>> | null = null;

  function keep(row: Json): Named | undefined {
    const one = list.row(row, app);
    if (one !== undefined) meet(row, one);
    return one;
  }

  function searchFor(by: Finder, text: string): Call | null {
    return hasMore ? (list.search?.(app, by, text) ?? null) : null;
  }

  function want(by: Finder, text: string): void {
    if (searchFor(by, text) === null) isWholeWanted = true;
    else searched.add(`${by} ${text}`);
  }

  async function finish(listed: Candidates): Promise<Fetched<Candidates>> {
    const named = list.one === null ? null : await namesOf(listed, list.one, purpose, reader);
    if (named !== null && named.as !== "got") return named;
    whole = named?.value ?? listed;
    return { as: "got", value: whole };
  }

  /** Each row is kept as what it shows, and a row of a long list as its bytes. */
  function keptIn(rows: Roster): (row: Json) => undefined {
    return (row) => {
      const one = keep(row);
      if (one !== undefined) rows.add(one);
    };
  }

  /** Null for a list that is longer than its names are worth. */
  async function readOn(goesOn: (pages: number) => boolean): Promise<Fetched<Candidates> | null> {
    const rows = makeRoster();
    const read = await reader.begin(purpose, list.call(app, ""), keptIn(rows), goesOn);
    if (read.as !== "got") return read;
    return read.value === null ? null : finish(rows.candidates());
  }

  async function readAll(): Promise<Fetched<Candidates>> {
    const all = await readOn(() => true);
    if (all === null) throw new Error("a list that always goes on is read to its end");
    return all;
  }

  /** Waits until the list has ended, or is known to have a second page. */
  function begin(): Promise<void> {
    beginning ??= new Promise((resolve, reject) => {
      reading = readOn((pages) => {
        isLong = true;
        resolve();
        return isWholeWanted || pages * NAMES_PER_PAGE < searched.size;
      });
      reading.then(() => resolve(), reject);
    });
    return beginning;
  }

  async function search(by: Finder, text: string): Promise<Candidates | null> {
    const call = searchFor(by, text);
    if (call === null) return null;
    const found = await shownBy(keep, reader, purpose, call, "sparing");
    if (found.as !== "got") return null;
    const exact = found.value.filter((one) => one[by] === text);
    return exact.length === 0 ? null : makeCandidates(exact);
  }

  return {
    whole: () => whole,
    async find(by, text, probable) {
      const isChecked = probable !== null && check !== null;
      if (!isChecked) want(by, text);
      await begin();
      if (isChecked && isLong) {
        const one = await check(probable);
        if (one !== undefined && one[by] === text) return { as: "got", value: makeCandidates([one]) };
        want(by, text);
      }
      const begun = await reading;
      if (begun !== null) return begun;
      const found = await search(by, text);
      if (found !== null) return { as: "got", value: found };
      readingAll ??= readAll();
      return readingAll;
    },
  };
}

/** The list of a kind's objects in one app: the kind's own read shares it. */
export function makeKindList(list: Listing, app: string, purpose: string, reader: Reader): NameList {
  let reading: Promise<Fetched<Candidates>> | null = null;
  let whole: Candidates | null = null;
  async function read(): Promise<Fetched<Candidates>> {
    const found = await shownBy((row) => list.row(row, app), reader, purpose, list.call(app, ""));
    if (found.as !== "got") return found;
    whole = makeCandidates(found.value);
    return { as: "got", value: whole };
  }
  return {
    whole: () => whole,
    find: () => {
      reading ??= read();
      return reading;
    },
  };
}

/** A search by a call of its own for each name, where that is the only list. */
export function makeNameSearch(list: Listing, app: string, purpose: string, reader: Reader): NameList {
  const search = onceFor(async (text: string): Promise<Fetched<Candidates>> => {
    const found = await shownBy((row) => list.row(row, app), reader, purpose, list.call(app, text));
    return found.as === "got" ? { as: "got", value: makeCandidates(found.value) } : found;
  });
  return { whole: () => null, find: (_, text) => search(text) };
}

/** What the rows of a list show. */
async function shownBy(
  show: (row: Json) => Named | undefined,
  reader: Reader,
  purpose: string,
  call: Call,
  need?: Need,
): Promise<Fetched<readonly Named[]>> {
  const rows = await reader.all(purpose, call, need);
  if (rows.as !== "got") return rows;
  return { as: "got", value: rows.value.flatMap((row) => show(row) ?? []) };
}

/** Shows the object of an id, unless it is gone; null where the service shows no single objects of that sort. */
function checkOf(
  { target, app, list, purpose, reader }: NameListOptions,
  keep: (row: Json) => Named | undefined,
): ((id: string) => Promise<Named | undefined>) | null {
  if (list.byId !== null) {
    const together = makeBatchById(target, reader, { purpose, need: "sparing", row: keep });
    return (id) => together.find({ app, id });
  }
  const single = list.one ?? list.again;
  if (single === null) return null;
  return async (id) => {
    const fetched = await reader.one(purpose, single.call(id), "sparing");
    const one = fetched.as === "got" ? single.read(fetched.value) : undefined;
    return one?.id === id ? one : undefined;
  };
}

/** Reads the name of each listed object, where its row shows only the id; a read that fails leaves the whole list unknown. */
async function namesOf(
  listed: Candidates,
  one: Single,
  purpose: string,
  reader: Reader,
): Promise<Fetched<Candidates>> {
  const ids = [...listed.every()].map(({ id }) => id);
  const fetched = await Promise.all(ids.map((id) => reader.one(purpose, one.call(id))));
  const failed = fetched.find((reply) => reply.as === "failed" || reply.as === "not offered");
  if (failed !== undefined) return failed;
  const named = fetched.flatMap((reply) => (reply.as === "got" ? (one.read(reply.value) ?? []) : []));
  return { as: "got", value: makeCandidates(named) };
}

/** Makes a roster for a list of any length. */
export function makeRoster(most = MOST_OBJECTS): Roster {
  const few: Named[] = [];
  let packed: Roster | null = null;
  return {
    add(one) {
      // What has no id, or a text that cannot be one, cannot be meant.
      if (unfitCharacter(one.id) !== null) return;
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
