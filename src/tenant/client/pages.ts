import type { Call, ListEffort, ListPage, Send } from "../../model/call.js";
import type { Clock } from "../../model/clock.js";
import { isObject } from "../../model/json.js";
import { ApiError, NO_REPLY } from "./error.js";

/** The most rows the service gives in one page. */
const PAGE_SIZE = 100;

/** What bounds a list; without a clock, its time is not bounded. */
interface ListBounds extends Partial<Bounds> {
  readonly clock?: Pick<Clock, "elapsed">;
  readonly from?: ListEffort["from"] | undefined;
}

/**
 * Reads a list page by page, as GET or as POST, as far as the pages are taken, giving each page's rows as they are. A page's length
 * says nothing; the list ends where the service names no further page. A list without progress or beyond
 * its bounds is an error.
 */
export async function* readPages(
  call: Call,
  send: Send,
  { clock, from = "", ...others }: ListBounds = {},
): AsyncGenerator<ListPage, void, undefined> {
  const used = new Set<string>();
  const bounds = { ...DEFAULT_BOUNDS, ...others };
  const began = clock?.elapsed() ?? 0;
  let [rows, pages, empty] = [0, 0, 0];
  for (let token = from; ; ) {
    const { body, status, requestId } = await send(pageOf(call, token));
    const facts = { call, progress: "replied", next: "stop", attempts: 1 } as const;
    const failure = () => ({ ...NO_REPLY, ...facts, requestId: requestId?.() ?? null });
    const list = isObject(body) ? body.list : undefined;
    if (!isObject(body) || !(list === null || Array.isArray(list))) {
      throw new ApiError("answered with a page that has no list", {
        ...failure(),
        fault: "other envelope",
        status,
      });
    }
    pages += 1;
    rows += list?.length ?? 0;
    empty = (list?.length ?? 0) === 0 ? empty + 1 : 0;
    // A token is opaque, and only a reply gives it, so no page can be asked for ahead (docs/service/live.md §4).
    token = typeof body.nextPageToken === "string" ? body.nextPageToken.trim() : "";
    yield { rows: list ?? [], next: token };
    if (token === "") return;
    const excess = excessOf({ rows, pages, empty, time: (clock?.elapsed() ?? 0) - began }, bounds);
    // No one reply is at fault here: the list is offered, and cannot be read.
    const problem = used.has(token) ? "gave a page token a second time: the list has no end" : excess;
    if (problem !== null) throw new ApiError(problem, { ...failure(), fault: "too much" });
    used.add(token);
  }
}

interface Read extends Pick<Bounds, "rows" | "pages" | "time"> {
  readonly empty: number;
}

function excessOf(read: Read, bounds: Bounds): string | null {
  if (read.empty >= EMPTY_PAGES) return `gave ${read.empty} empty pages in a row: the list makes no progress`;
  if (read.rows > bounds.rows) return `gave more than ${bounds.rows} rows; ${raises("rows")}`;
  if (read.pages >= bounds.pages) return `gave ${bounds.pages} pages and no end; ${raises("pages")}`;
  if (read.time > bounds.time) return `took longer than ${bounds.time / 1000} s; ${raises("time")}`;
  return null;
}

function raises(name: keyof Bounds): string {
  return `\`reads.${name}\` in remit.yaml raises this bound`;
}

/**
 * The call for one page; a call may ask for shorter pages in its query. A query and a body use the same two field
 * names (docs/service/interface.md §4.4).
 */
function pageOf(call: Call, token: string): Call {
  const turn = token === "" ? {} : { page_token: token };
  if (call.method === "POST") return { ...call, body: { ...call.body, page_size: PAGE_SIZE, ...turn } };
  return { ...call, query: { page_size: String(PAGE_SIZE), ...call.query, ...turn } };
}

/** The bounds of what remit reads, so that no service can fill its memory or hold it forever. */
export interface Bounds {
  /** Bytes of one reply, inflated. */
  readonly reply: number;
  /** Rows of one list. */
  readonly rows: number;
  /** Pages of one list. */
  readonly pages: number;
  /** Milliseconds for a whole list. */
  readonly time: number;
}

/** The bounds where the settings name no others. */
export const DEFAULT_BOUNDS: Bounds = {
  reply: 32 * 1024 * 1024,
  rows: 2_000_000,
  pages: 50_000,
  time: 30 * 60_000,
};

/** So many empty pages in a row show that a list does not end. */
export const EMPTY_PAGES = 20;
