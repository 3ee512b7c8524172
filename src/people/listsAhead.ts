import type { Client } from "../api/client.js";
import { EFFORT } from "../current/need.js";
import { type Call, formatCallPath, type ListEffort } from "../model/call.js";
import { canonical, type Json } from "../model/json.js";

/** A client that reads lists before anyone asks for them. */
export interface ListsAhead {
  /** Gives the pages of a list that is read already, and reads on where they end. */
  readonly client: Client;
  /**
   * Begins to read lists that the service allows or forbids together, so many pages of each: the others wait until it
   * allowed the first one.
   */
  readonly begin: (calls: readonly Call[], pages: number) => void;
}

/** Makes such a client of another. */
export function listsAhead(client: Client): ListsAhead {
  const begun = new Map<string, ListBegun>();
  const asked = new Set<string>();

  /** Begins a list that no one asked for: whether its first page came, once that is known. */
  function begin(call: Call, pages: number): Promise<boolean> {
    const name = nameOf(call);
    if (begun.has(name) || asked.has(name)) return Promise.resolve(true);
    const list = beginList(client, call, pages);
    begun.set(name, list);
    return list.isAllowed;
  }

  return {
    client: {
      ...client,
      pages(call, effort) {
        if (effort?.from !== undefined) return client.pages(call, effort);
        const name = nameOf(call);
        asked.add(name);
        const list = begun.get(name);
        // A list that is asked for again may show something else.
        begun.delete(name);
        return list === undefined ? client.pages(call, effort) : list.taken(effort?.goesOn);
      },
    },
    async begin([first, ...others], pages) {
      if (first === undefined || !(await begin(first, pages))) return;
      for (const call of others) void begin(call, pages);
    },
  };
}

/** A list that is read before someone asks for it. */
interface ListBegun {
  /** Whether its first page came. */
  readonly isAllowed: Promise<boolean>;
  /** Its pages, for the one who asks: nothing more is read ahead from then on. */
  readonly taken: (goesOn: ListEffort["goesOn"]) => AsyncIterable<readonly Json[]>;
}

function beginList(client: Client, call: Call, most: number): ListBegun {
  let taker: { readonly goesOn: ListEffort["goesOn"] } | null = null;
  const tokens: string[] = [];
  const goesOn = (token: string) => {
    tokens.push(token);
    return taker === null ? true : (taker.goesOn?.(token) ?? true);
  };
  const pages = client.pages(call, { ...EFFORT.optional, goesOn })[Symbol.asyncIterator]();
  const kept: Promise<IteratorResult<readonly Json[]>>[] = [];

  const isAllowed = new Promise<boolean>((tell) => {
    async function readOn(): Promise<void> {
      while (taker === null && kept.length < most) {
        const page = pages.next();
        kept.push(page);
        const { done } = await page;
        tell(true);
        if (done === true) return;
      }
    }
    // The one who takes the list hears what became of a page.
    const read = client.pace.limit(readOn).catch(() => undefined);
    void read.then(() => tell(false));
  });

  async function* taken(goesOn: ListEffort["goesOn"]): AsyncGenerator<readonly Json[], void, undefined> {
    taker = { goesOn };
    for (const [at, page] of kept.entries()) {
      const { done, value } = await page;
      if (done === true || (at > 0 && (await goesOn?.(tokens[at - 1] ?? "")) === false)) return;
      yield value;
    }
    for (;;) {
      const { done, value } = await pages.next();
      if (done === true) return;
      yield value;
    }
  }

  return { isAllowed, taken };
}

/** What tells a list from another: searches of one path differ in their bodies. */
function nameOf(call: Call): string {
  return `${call.method} ${formatCallPath(call)} ${canonical({ ...call.query })} ${canonical(call.body ?? {})}`;
}
