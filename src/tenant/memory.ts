import type { Call, Reply } from "../model/call.js";
import { canonical } from "../model/json.js";
import { type PlaceInList, placeIn, type SentRows } from "./pageChain.js";
import { EFFORT, type Need, type Remote } from "./reads.js";

/** What a run has read, and the way to what it has not. What several parts of a run ask for is read once. */
export interface Memory {
  /** Gives the pages of a list in turn; those that no one has asked for yet are read. */
  walk(call: Call, need: Need, visitor: Visitor): Promise<"ended" | "cut off">;
  one(call: Call, need: Need): Promise<Reply>;
  /** Reads one page of a list anew, by the token that led to it. */
  again(call: Call, token: string): Promise<SentRows>;
  /** Whether a page, a reply or an error is given for the first time: it counts as a call for that part of the run. */
  isNews(given: object): boolean;
  /**
   * Begins to read lists that the service allows or forbids together, so many pages of each at most: the others wait until
   * it allowed the first one.
   */
  readAhead(calls: readonly Call[], pages: number): Promise<void>;
  /** Forgets the lists where they are too long for those that only name things. */
  thin(): void;
}

/** What becomes of the pages of a list. */
export interface Visitor {
  readonly take: (rows: SentRows, token: string) => void;
  /** Asked before each further page there is; all pages where left out. */
  readonly goesOn?: () => boolean | Promise<boolean>;
  /** Hears of each page before it is taken. */
  readonly replied?: (isNew: boolean) => void;
}

/** What a memory is made with. */
interface MemoryOptions {
  /** Whether everything is kept, in little room: what is asked for later is then answered by exactly what was read. */
  readonly keepsAll: boolean;
  readonly hear: (call: Call, rows: SentRows) => void;
}

/** So many rows of a list are kept, and so many replies; more only where everything is. */
const ROWS_KEPT = 5_000;
const REPLIES_KEPT = 1_000;
/** So many rows of all lists are kept for those that only name things. */
const ROWS_TO_NAME = 1_000;

interface List {
  readonly first: PlaceInList;
  readonly size: { rows: number; isTaken: boolean };
}

/** A memory over a client. */
export function makeMemory({ send, pages, pace }: Remote, { keepsAll, hear }: MemoryOptions): Memory {
  const lists = new Map<string, List>();
  const replies = new Map<string, Promise<Reply>>();
  const given = new WeakSet<object>();

  /** Hears the pages of a list. It knows only its size: a page that is read and not kept is then free. */
  function hearing(call: Call, size: List["size"]): (rows: SentRows) => void {
    return (rows) => {
      size.rows += rows.length;
      const name = nameOf(call);
      if (!keepsAll && size.isTaken && size.rows > ROWS_KEPT && lists.get(name)?.size === size)
        lists.delete(name);
      hear(call, rows);
    };
  }

  function open(call: Call): List {
    const name = nameOf(call);
    const known = lists.get(name);
    if (known !== undefined) return known;
    const size = { rows: 0, isTaken: false };
    const list = { first: placeIn({ pages, call, isPacked: keepsAll, hear: hearing(call, size) }), size };
    lists.set(name, list);
    return list;
  }

  /** The first place of a list that someone asks for. */
  function take(call: Call): PlaceInList {
    const { first, size } = open(call);
    size.isTaken = true;
    return first;
  }

  function isNews(one: object): boolean {
    if (given.has(one)) return false;
    given.add(one);
    return true;
  }

  /** Begins a list that no one asked for: whether its first page came, once that is known. */
  function begin(call: Call, most: number): Promise<boolean> {
    if (lists.has(nameOf(call))) return Promise.resolve(true);
    const list = open(call);
    return new Promise((tell) => {
      async function readOn(): Promise<void> {
        let place: PlaceInList | null = list.first;
        for (let at = 0; at < most && place !== null && !list.size.isTaken; at += 1) {
          ({ next: place } = await place.read("optional"));
          tell(true);
        }
      }
      // The one who asks for the list hears what became of a page.
      void pace
        .limit(readOn)
        .catch(() => undefined)
        .then(() => tell(false));
    });
  }

  return {
    isNews,
    async walk(call, need, visitor) {
      // A variable of a loop that waits keeps its first value once the engine has compiled the loop; the first place leads to
      // every page. An object is changed in its place.
      const here = { place: take(call) };
      for (;;) {
        const page = await here.place.read(need);
        visitor.replied?.(isNews(page));
        visitor.take(page.rows(), page.from);
        if (page.next === null) return "ended";
        if ((await visitor.goesOn?.()) === false) return "cut off";
        here.place = page.next;
      }
    },
    one(call, need) {
      const name = nameOf(call);
      const known = replies.get(name);
      if (known !== undefined) return known;
      const reply = send(call, EFFORT[need]);
      if (!keepsAll && replies.size >= REPLIES_KEPT) return reply;
      replies.set(name, reply);
      // A failed read is repeated for the next who asks.
      reply.catch(() => replies.delete(name));
      return reply;
    },
    async again(call, from) {
      for await (const { rows } of pages(call, { ...EFFORT.optional, from })) return rows;
      return [];
    },
    async readAhead([first, ...others], pages) {
      if (first === undefined || !(await begin(first, pages))) return;
      for (const call of others) void begin(call, pages);
    },
    thin() {
      const taken = [...lists].filter(([, { size }]) => size.isTaken);
      const rows = taken.reduce((sum, [, { size }]) => sum + size.rows, 0);
      if (!keepsAll && rows > ROWS_TO_NAME) for (const [name] of taken) lists.delete(name);
    },
  };
}

/** A call as one text. A text that is joined is held flat; one that is added up, as each of its parts. */
export function nameOf({ method, path, query = {}, body = {} }: Call): string {
  const segments = path.map((segment) => (typeof segment === "string" ? segment : ""));
  return [method, JSON.stringify(segments), canonical(query), canonical(body)].join(" ");
}
