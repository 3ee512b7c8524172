import { ApiError } from "../api/error.js";
import type { Pace } from "../api/pace/pace.js";
import { type Call, formatCallPath, type ListEffort, type Send } from "../model/call.js";
import { canonical, type Json } from "../model/json.js";
import { type Failed, type Fetched, missed } from "./fetched.js";
import { EFFORT, type Need } from "./need.js";

/** What reading needs of a client. */
export interface Remote {
  readonly send: Send;
  /** Every page of a list, in turn. */
  readonly pages: (call: Call, effort?: ListEffort) => AsyncIterable<readonly Json[]>;
  readonly pace: Pace;
}

/** Asks the service, counts the calls by what they were for, and never throws for what the service says. */
export interface Reader {
  one(purpose: string, call: Call, need?: Need): Promise<Fetched<Json>>;
  /** Begins a required read early: the next `one` of the same call takes what comes of it. */
  foresee(purpose: string, call: Call): Promise<Fetched<Json>>;
  /** Every row of a list; the same list is asked for once, however many want it. */
  all(purpose: string, call: Call, need?: Need): Promise<Fetched<Rows>>;
  /**
   * The first rows of a list, as they are kept, as long as it goes on; null for its rows where it was not read to its
   * end. A list that was read already is not asked for again.
   */
  begin<T>(
    purpose: string,
    call: Call,
    keep: (row: Json) => T | undefined,
    goesOn: (pages: number) => boolean,
    need?: Need,
  ): Promise<Fetched<readonly T[] | null>>;
  /** The first page of a list, once; a list that was asked for already is not asked again. */
  firstPage(purpose: string, call: Call, need?: Need): Promise<Fetched<Rows>>;
  /**
   * Gives each page of an optional list as it comes. `goesOn` is asked before each further page there is. The rows are not
   * kept.
   */
  pages(
    purpose: string,
    call: Call,
    take: (rows: Rows) => void,
    goesOn?: (token: string) => boolean | Promise<boolean>,
  ): Promise<ListEnd>;
  /** Reads one page of an optional list again, by the token that led to it; null where it cannot be read. */
  again(purpose: string, call: Call, token: string): Promise<Rows | null>;
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

/** The rows of a list as the service sent them. */
type Rows = readonly Json[];

/** So many rows of a list are kept as they were sent, for others that want the same list. */
const ROWS_KEPT = 1_000;

/**
 * Asks in the order of the pace, counts the calls by what they were for, and keeps what went wrong. It asks no more once the
 * service cannot be reached.
 */
function makeAsking(pace: Pace, progress: (done: number, total: number) => void) {
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

  async function attempt<T>(purpose: string, read: (replied: () => void) => Promise<T>): Promise<Fetched<T>> {
    let isBegun = false;
    try {
      const value = await read(() => {
        isBegun = true;
        count(purpose);
      });
      return { as: "got", value };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      count(purpose);
      return missed(error, isBegun);
    }
  }

  function ask<T>(
    purpose: string,
    need: Need,
    read: (replied: () => void) => Promise<T>,
  ): Promise<Fetched<T>> {
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

/** A reader over a client; reads wait for the shared pace, and stop when the service cannot be reached. */
export function makeReader(remote: Remote, progress: (done: number, total: number) => void): Reader {
  const lists = new Map<string, Promise<Fetched<Rows>>>();
  const glances = new Map<string, Promise<Fetched<Rows>>>();
  const foreseen = new Map<string, Promise<Fetched<Json>>>();
  /** Lists that are read by `begin`: their rows as they were sent; null where they are cut off, long or not there. */
  const begun = new Map<string, Promise<Rows | null>>();
  const { ask, note, ...heard } = makeAsking(remote.pace, progress);

  function rows(purpose: string, call: Call, need: Need, isEnough: () => boolean): Promise<Fetched<Rows>> {
    return ask(purpose, need, async (replied) => {
      const found: Json[] = [];
      for await (const page of remote.pages(call, EFFORT[need])) {
        replied();
        for (const row of page) found.push(row);
        if (isEnough()) break;
      }
      return found;
    });
  }

  async function begunRows(call: Call): Promise<Fetched<Rows> | null> {
    const known = await begun.get(nameOf(call));
    return known == null ? null : got(known);
  }

  function begin<T>(
    purpose: string,
    call: Call,
    keep: (row: Json) => T | undefined,
    goesOn: (pages: number) => boolean,
    need: Need,
  ): Promise<Fetched<readonly T[] | null>> {
    const sent: Json[] = [];
    let glimpse: (first: Fetched<Rows>) => void = () => undefined;
    const glance = new Promise<Fetched<Rows>>((resolve) => {
      glimpse = resolve;
    });
    if (!glances.has(nameOf(call))) glances.set(nameOf(call), glance);
    const fetched = ask(purpose, need, async (replied) => {
      let isCut = false;
      let pages = 0;
      const kept: T[] = [];
      const reach = {
        ...EFFORT[need],
        goesOn() {
          isCut = !goesOn(pages);
          return !isCut;
        },
      };
      for await (const page of remote.pages(call, reach)) {
        replied();
        pages += 1;
        if (pages === 1) glimpse(got(page));
        if (sent.length <= ROWS_KEPT) sent.push(...page);
        for (const row of page) {
          const one = keep(row);
          if (one !== undefined) kept.push(one);
        }
      }
      return isCut ? null : kept;
    });
    const whole = fetched.then((read) => {
      if (read.as !== "got") glimpse(read);
      return read.as === "got" && read.value !== null && sent.length <= ROWS_KEPT ? sent : null;
    });
    begun.set(nameOf(call), whole);
    return fetched;
  }

  function one(purpose: string, call: Call, need: Need): Promise<Fetched<Json>> {
    return ask(purpose, need, async (replied) => {
      const { body } = await remote.send(call, EFFORT[need]);
      replied();
      return body;
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
    all: (purpose, call, need = "required") =>
      once(lists, call, async () => (await begunRows(call)) ?? rows(purpose, call, need, () => false)),
    async begin(purpose, call, keep, goesOn, need = "required") {
      const known = await (lists.get(nameOf(call)) ?? begunRows(call));
      if (known === null) return begin(purpose, call, keep, goesOn, need);
      return known.as === "got" ? got(known.value.flatMap((row) => keep(row) ?? [])) : known;
    },
    firstPage: (purpose, call, need = "required") =>
      lists.get(nameOf(call)) ?? once(glances, call, () => rows(purpose, call, need, () => true)),
    async pages(purpose, call, take, goesOn = () => true) {
      const fetched = await ask(purpose, "optional", async (replied) => {
        let end: "ended" | "cut off" = "ended";
        const reach = {
          ...EFFORT.optional,
          goesOn(token: string) {
            const tell = (isMore: boolean) => {
              if (!isMore) end = "cut off";
              return isMore;
            };
            const more = goesOn(token);
            // What has to wait for other reads lends them its place.
            return typeof more === "boolean" ? tell(more) : remote.pace.lend(async () => tell(await more));
          },
        };
        for await (const page of remote.pages(call, reach)) {
          replied();
          take(page);
        }
        return end;
      });
      // A list is there or not offered: one that is not found shows nothing, which is not the same as that it is empty.
      if (fetched.as === "absent") note(purpose, `${call.method} ${formatCallPath(call)} answered 404`);
      if (fetched.as === "got") return fetched.value;
      return fetched.as === "failed" && fetched.trouble === "forbidden" ? "forbidden" : "failed";
    },
    async again(purpose, call, token) {
      const fetched = await ask(purpose, "optional", async (replied) => {
        const found: Json[] = [];
        const reach = { ...EFFORT.optional, from: token, goesOn: () => false };
        for await (const page of remote.pages(call, reach)) {
          replied();
          found.push(...page);
        }
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

/** Whether no other read can go better. */
function isFinal({ trouble }: Failed): boolean {
  return trouble === "unreachable" || trouble === "credentials";
}

function once<T>(asked: Map<string, Promise<T>>, call: Call, ask: () => Promise<T>): Promise<T> {
  const name = nameOf(call);
  const answer = asked.get(name) ?? ask();
  asked.set(name, answer);
  return answer;
}

/** What tells a list from another: searches of one path differ in their bodies. */
function nameOf(call: Call): string {
  return call.body === undefined ? formatCallPath(call) : `${formatCallPath(call)} ${canonical(call.body)}`;
}
