import { type Call, formatCallPath } from "../model/call.js";
import type { Json } from "../model/json.js";
import { ApiError } from "./client/error.js";
import type { Pace } from "./client/pace/pace.js";
import { type Failed, type Fetched, missed } from "./fetched.js";
import { type Memory, nameOf, type Visitor } from "./memory.js";
import type { SentRows } from "./pageChain.js";
import type { Need } from "./reads.js";

/** Asks the tenant for one part of a run: counts the calls by what they were for, and never throws for what the service says. */
export interface Reader {
  one(purpose: string, call: Call, need?: Need): Promise<Fetched<Json>>;
  /** Begins a required read early: the next `one` of the same call takes what comes of it. */
  foresee(purpose: string, call: Call): Promise<Fetched<Json>>;
  /** Every row of a list; the same list is asked for once, however many want it. */
  all(purpose: string, call: Call, need?: Need): Promise<Fetched<SentRows>>;
  /** The first rows of a list, as they are kept, as long as it goes on; null for its rows where it was not read to its end. */
  begin<T>(
    purpose: string,
    call: Call,
    keep: (row: Json) => T | undefined,
    goesOn: (pages: number) => boolean,
    need?: Need,
  ): Promise<Fetched<readonly T[] | null>>;
  /** The first page of a list, or all of it where it was read. */
  firstPage(purpose: string, call: Call, need?: Need): Promise<Fetched<SentRows>>;
  /** Gives each page of an optional list with the token that led to it. `goesOn` is asked before each further page there is. */
  pages(
    purpose: string,
    call: Call,
    take: (rows: SentRows, token: string) => void,
    goesOn?: () => boolean | Promise<boolean>,
  ): Promise<ListEnd>;
  /** Reads one page of an optional list again, by the token that led to it; null where it cannot be read. */
  again(purpose: string, call: Call, token: string): Promise<SentRows | null>;
  /** Notes why what an optional list shows may not be everything. */
  doubt(purpose: string, call: Call, why: Doubt): void;
  /** How many calls were made so far, by what they were for. */
  calls(): Readonly<Record<string, number>>;
  /** The first trouble there was, as long as the service has not said anything; null from then on. */
  silence(): Failed | null;
  /** The optional reads that failed, each with what it was for: once for each purpose. */
  unknown(): readonly UnknownRead[];
}

const MOVED = "it changed while it was read";
const SPENT = "`impact.calls` leaves no call for it";

/** Why a list may not show everything: what became of it, and the cause. */
const DOUBTS = {
  "showed a row twice": MOVED,
  "showed other rows when it was read again": MOVED,
  "was not read to its end": SPENT,
  "was not read again": SPENT,
} as const;

type Doubt = keyof typeof DOUBTS;

/** An optional read that failed: what it would have shown, and what was asked and answered. */
export interface UnknownRead {
  readonly what: string;
  readonly why: string;
}

/** How the reading of an optional list ended. */
type ListEnd = "ended" | "cut off" | "failed" | "forbidden";

/** A reader over what a run remembers; reads wait for the shared pace, and stop when the service cannot be reached. */
export function makeReader(
  memory: Memory,
  pace: Pace,
  progress: (done: number, total: number) => void,
): Reader {
  const lists = new Map<string, Promise<Fetched<SentRows>>>();
  const foreseen = new Map<string, Promise<Fetched<Json>>>();
  const { ask, note, ...heard } = makeAsking(pace, memory.isNews, progress);

  function walk(
    purpose: string,
    call: Call,
    need: Need,
    visitor: Visitor,
  ): Promise<Fetched<"ended" | "cut off">> {
    return ask(purpose, need, (replied) => memory.walk(call, need, { ...visitor, replied }));
  }

  async function rows(purpose: string, call: Call, need: Need, visitor: Partial<Visitor> = {}) {
    const found: Json[] = [];
    const take = (page: SentRows) => {
      for (const row of page) found.push(row);
    };
    const read = await walk(purpose, call, need, { take, ...visitor });
    return read.as === "got" ? got(found) : read;
  }

  function one(purpose: string, call: Call, need: Need): Promise<Fetched<Json>> {
    return ask(purpose, need, async (replied) => {
      const reply = await memory.one(call, need);
      replied(memory.isNews(reply));
      return reply.body;
    });
  }

  return {
    one(purpose, call, need = "required") {
      const name = nameOf(call);
      const early = foreseen.get(name);
      foreseen.delete(name);
      return early ?? one(purpose, call, need);
    },
    foresee(purpose, call) {
      const early = one(purpose, call, "required");
      foreseen.set(nameOf(call), early);
      return early;
    },
    all(purpose, call, need = "required") {
      const name = nameOf(call);
      const read = lists.get(name) ?? rows(purpose, call, need);
      lists.set(name, read);
      return read;
    },
    async begin<T>(
      purpose: string,
      call: Call,
      keep: (row: Json) => T | undefined,
      goesOn: (pages: number) => boolean,
      need: Need = "required",
    ) {
      const known = await lists.get(nameOf(call));
      if (known !== undefined)
        return known.as === "got" ? got(known.value.flatMap((row) => keep(row) ?? [])) : known;
      const kept: T[] = [];
      let pages = 0;
      const read = await walk(purpose, call, need, {
        take(page) {
          pages += 1;
          for (const row of page) {
            const one = keep(row);
            if (one !== undefined) kept.push(one);
          }
        },
        goesOn: () => goesOn(pages),
      });
      return read.as === "got" ? got(read.value === "ended" ? kept : null) : read;
    },
    firstPage: (purpose, call, need = "required") =>
      lists.get(nameOf(call)) ?? rows(purpose, call, need, { goesOn: () => false }),
    async pages(purpose, call, take, goesOn = () => true) {
      const fetched = await walk(purpose, call, "optional", {
        take,
        goesOn() {
          const more = goesOn();
          // What has to wait for other reads lends them its place.
          return typeof more === "boolean" ? more : pace.lend(() => more);
        },
      });
      // A list is there or not offered: one that is not found shows nothing, which is not the same as that it is empty.
      if (fetched.as === "absent") note(purpose, `${call.method} ${formatCallPath(call)} answered 404`);
      if (fetched.as === "got") return fetched.value;
      return fetched.as === "failed" && fetched.trouble === "forbidden" ? "forbidden" : "failed";
    },
    async again(purpose, call, token) {
      const fetched = await ask(purpose, "optional", async (replied) => {
        const found = await memory.again(call, token);
        replied(true);
        return found;
      });
      return fetched.as === "got" ? fetched.value : null;
    },
    doubt(purpose, call, why) {
      const list = `the list ${call.method} ${formatCallPath(call)}`;
      note(purpose, `${list} ${why}: ${DOUBTS[why]}, so the numbers are bounds`);
    },
    ...heard,
  };
}

function got<T>(value: T): { readonly as: "got"; readonly value: T } {
  return { as: "got", value };
}

/** A read, which tells of each reply, and whether it came for this read. */
type Read<T> = (replied: (isNew: boolean) => void) => Promise<T>;

/**
 * Asks in the order of the pace, counts the calls by what they were for, and keeps what went wrong. It asks no more once the
 * service cannot be reached.
 */
function makeAsking(
  pace: Pace,
  isNews: (error: ApiError) => boolean,
  progress: (done: number, total: number) => void,
) {
  const calls = new Map<string, number>();
  let done = 0;
  let total = 0;
  let hasSpoken = false;
  let trouble: Failed | null = null;
  /** Why reads failed, by purpose. Of several reasons the same one is kept, whichever answer came first. */
  const unknown = new Map<string, string>();

  function note(purpose: string, why: string): void {
    const known = unknown.get(purpose);
    if (known === undefined || why < known) unknown.set(purpose, why);
  }

  function count(purpose: string): void {
    calls.set(purpose, (calls.get(purpose) ?? 0) + 1);
  }

  async function attempt<T>(purpose: string, read: Read<T>): Promise<Fetched<T>> {
    let isBegun = false;
    try {
      const value = await read((isNew) => {
        isBegun = true;
        if (isNew) count(purpose);
      });
      return { as: "got", value };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isNews(error)) count(purpose);
      return missed(error, isBegun);
    }
  }

  function ask<T>(purpose: string, need: Need, read: Read<T>): Promise<Fetched<T>> {
    total += 1;
    return pace.limit(async () => {
      if (trouble !== null && isFinal(trouble)) return trouble;
      const fetched = await attempt(purpose, read);
      done += 1;
      progress(done, total);
      if (need === "sparing") return fetched;
      if (need === "optional" && (fetched.as === "failed" || fetched.as === "not offered")) {
        note(purpose, fetched.why);
        return fetched;
      }
      if (fetched.as !== "failed") hasSpoken = true;
      else if (trouble === null || isFinal(fetched)) trouble = fetched;
      return fetched;
    });
  }

  return {
    ask,
    note,
    calls: () => Object.fromEntries(calls),
    silence: () => (hasSpoken ? null : trouble),
    unknown: () => [...unknown].sort().map(([what, why]) => ({ what, why })),
  };
}

/** Whether no other read can go better. */
function isFinal({ trouble }: Failed): boolean {
  return trouble === "unreachable" || trouble === "credentials";
}
