import type { Call, Effect, Reply, Send } from "../model/call.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { ApiError, unusable } from "../tenant/client/error.js";
import type { Author } from "./forge.js";

/** The most pages that are read of one list. */
const MOST_PAGES = 100;

/** Sends the calls of a forge and gives objects and lists of objects. */
export interface Rest {
  readonly one: (call: Call) => Promise<JsonObject>;
  /** All rows of a list, each once: a list ends with a short page, or with a page that brings no new row. */
  readonly all: (
    path: Call["path"],
    query?: Readonly<Record<string, string>>,
  ) => Promise<readonly JsonObject[]>;
  readonly send: (call: Call) => Promise<Reply>;
}

/** How a forge numbers the pages of its lists, and how many rows each page but the last certainly has; null for none. */
interface Paging {
  readonly size: string;
  readonly rows: number;
  readonly isSizeKept: boolean;
}

/** Makes the calls of a forge out of one way to send. */
export function makeRest(send: Send, paging: Paging): Rest {
  return {
    send,
    async one(call) {
      const { body } = await send(call);
      if (!isObject(body)) throw unusable(call, "answered with something other than an object");
      return body;
    },
    async all(path, query = {}) {
      const found = new Map<string, JsonObject>();
      for (let page = 1; ; page += 1) {
        const turn = { [paging.size]: String(paging.rows), page: String(page) };
        const call = read(path, { ...query, ...turn });
        const { body } = await send(call);
        if (!Array.isArray(body)) throw unusable(call, "answered with something other than a list");
        // A part of a list would look like all of it: a comment that is not in it would be written again.
        if (page > MOST_PAGES) throw unusable(call, `gave more than ${MOST_PAGES} pages`);
        const rows = body.filter(isObject);
        const before = found.size;
        for (const row of rows) found.set(nameOf(row), row);
        const isLast = paging.isSizeKept && body.length < paging.rows;
        if (isLast || found.size === before) break;
      }
      return [...found.values()];
    },
  };
}

function nameOf(row: JsonObject): string {
  return typeof row.id === "number" ? String(row.id) : JSON.stringify(row);
}

/** What is found where a token may ask for it; null where it may not, or where there is nothing. */
export async function ifAllowed<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ApiError && [401, 403, 404].includes(error.status ?? 0)) return null;
    throw error;
  }
}

/** A call that changes nothing. */
export function read(path: Call["path"], query?: Call["query"]): Call {
  return {
    operation: "ReadForge",
    method: "GET",
    path,
    effect: "read",
    ...(query === undefined ? {} : { query }),
  };
}

/** A call that writes. */
export function write(method: Call["method"], path: Call["path"], effect: Effect, body?: JsonObject): Call {
  return { operation: "WriteForge", method, path, effect, ...(body === undefined ? {} : { body }) };
}

/** A text of a reply; empty where it has none. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A whole number of a reply; 0 where it has none, which no forge gives to anything. */
export function numberOf(value: Json | undefined): number {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : 0;
}

/** A part of a reply. */
export function partOf(value: Json | undefined, name: string): JsonObject {
  const part = isObject(value) ? value[name] : undefined;
  return isObject(part) ? part : {};
}

/** Who wrote something, by the name that the forge has for a login. */
export function authorOf(value: Json | undefined, login = "login"): Author | null {
  return isObject(value) && typeof value.id === "number"
    ? { id: value.id, login: textOf(value[login]) }
    : null;
}
