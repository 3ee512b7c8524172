import type { Call, Send } from "../model/call.js";
import { isObject, type Json } from "../model/json.js";
import { ApiError, NO_REPLY } from "./error.js";

/** The most rows the service gives in one page. */
const PAGE_SIZE = 100;

/**
 * Reads a list page by page, as GET or as POST, giving each page's rows as they are. A page's length
 * says nothing; the list ends where the service names no further page.
 */
export async function* readPages(call: Call, send: Send): AsyncGenerator<readonly Json[], void, undefined> {
  const used = new Set<string>();
  for (let token = ""; ; ) {
    const { body, status, requestId } = await send(pageOf(call, token));
    const facts = { call, progress: "replied", verdict: "stop", attempts: 1 } as const;
    const failure = { ...NO_REPLY, ...facts, requestId: requestId ?? null };
    const list = isObject(body) ? body.list : undefined;
    if (!isObject(body) || !(list === null || Array.isArray(list))) {
      throw new ApiError("answered with a page that has no list", { ...failure, status });
    }
    yield list ?? [];
    token = typeof body.nextPageToken === "string" ? body.nextPageToken.trim() : "";
    if (token === "") return;
    // No one reply is at fault here: the list is offered, and cannot be read.
    if (used.has(token)) {
      throw new ApiError("gave a page token a second time: the list has no end", failure);
    }
    used.add(token);
  }
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
