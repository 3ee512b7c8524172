import { ApiError } from "../api/error.js";
import type { Pace } from "../api/pace.js";
import { type Call, formatCallPath, type Send } from "../model/call.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Json } from "../model/json.js";

/** What reading needs of a client. */
export interface Remote {
  readonly send: Send;
  /** Every page of a list, in turn. */
  readonly pages: (call: Call) => AsyncIterable<readonly Json[]>;
  readonly pace: Pace;
}

/** What came of asking: a value, nothing there, a server that does not offer the question, or a failure. */
export type Fetched<T> =
  | { readonly as: "got"; readonly value: T }
  | { readonly as: "absent" }
  | { readonly as: "not offered"; readonly why: string }
  | { readonly as: "failed"; readonly diagnostic: Diagnostic };

/** Asks the service, counts the calls by what they were for, and never throws for what the service says. */
export interface Reader {
  one(purpose: string, call: Call): Promise<Fetched<Json>>;
  /** Every row of a list; the same list is asked for once, however many want it. */
  all(purpose: string, call: Call): Promise<Fetched<readonly Json[]>>;
  readonly calls: Readonly<Record<string, number>>;
}

/** A reader over a client; reads wait for room under the shared pace. */
export function makeReader(remote: Remote, progress: (done: number) => void): Reader {
  const calls: Record<string, number> = {};
  const lists = new Map<string, Promise<Fetched<readonly Json[]>>>();
  let done = 0;
  const count = (purpose: string) => {
    calls[purpose] = (calls[purpose] ?? 0) + 1;
    progress(++done);
  };
  return {
    calls,
    one: (purpose, call) =>
      remote.pace.limit(() =>
        fetched(async () => {
          count(purpose);
          return (await remote.send(call)).body;
        }),
      ),
    all: (purpose, call) => {
      const path = formatCallPath(call);
      const asked = lists.get(path);
      if (asked !== undefined) return asked;
      const answer = remote.pace.limit(() =>
        fetched(async () => {
          const rows: Json[] = [];
          for await (const page of remote.pages(call)) {
            count(purpose);
            for (const row of page) rows.push(row);
          }
          return rows;
        }),
      );
      lists.set(path, answer);
      return answer;
    },
  };
}

async function fetched<T>(ask: () => Promise<T>): Promise<Fetched<T>> {
  try {
    return { as: "got", value: await ask() };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isNotOffered(error)) return { as: "not offered", why: `${callOf(error)} answered ${error.status}` };
    if (error.status === 404) return { as: "absent" };
    return { as: "failed", diagnostic: failure(error) };
  }
}

// A path that a server does not have is answered by its router, not in the service's own error form;
// many routers send a page or a redirect instead.
function isNotOffered(error: ApiError): boolean {
  if (error.status === null) return false;
  if (error.status === 405 || error.status === 501) return true;
  if (error.status === 404) return !error.own;
  return error.status < 400;
}

function failure(error: ApiError): Diagnostic {
  const id = error.requestId === null ? "" : ` (request ${error.requestId})`;
  return {
    code: error.status === 401 || error.status === 403 ? "service/not-allowed" : "service/read-failed",
    severity: "error",
    message: `${callOf(error)}: ${error.words ?? error.message}${id}`,
    hint:
      error.status === 401 || error.status === 403
        ? "Check the credentials and their role in the tenant; `remit config` shows which are used."
        : "Nothing was changed. Try again; with -v every call is shown.",
  };
}

function callOf(error: ApiError): string {
  return `${error.call.method} ${formatCallPath({ ...error.call })}`;
}
