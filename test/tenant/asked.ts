import { type Call, formatCallPath } from "../../src/model/call.js";
import type { Json } from "../../src/model/json.js";
import { ApiError, NO_REPLY } from "../../src/tenant/client/error.js";
import type { Remote } from "../../src/tenant/reads.js";

/** What a path answers: a body, the pages of a list, or how it fails. */
export type Says =
  | { readonly body: Json }
  | { readonly pages: readonly (readonly Json[])[]; readonly broken?: Fault }
  | Fault;

/** How a call fails, as far as reading cares. */
export interface Fault {
  readonly status: number | null;
  readonly own?: boolean;
  readonly progress?: ApiError["progress"];
  readonly attempts?: number;
}

export const REFUSED: Fault = { status: 403, own: true };
export const DOWN: Fault = { status: null, progress: "never sent", attempts: 5 };
export const PAGE: Fault = { status: 200 };
export const NO_ROUTE: Fault = { status: 404 };
export const NOT_FOUND: Fault = { status: 404, own: true };

/** A service that answers by path, with a default for the rest, and remembers what it was asked. */
export interface Asked {
  readonly remote: Remote;
  readonly paths: readonly string[];
  /** The most that was under way at once. */
  readonly width: () => number;
}

/** Makes such a service; a path is what follows `/api/v1/`. */
export function answering(says: Readonly<Record<string, Says>>, otherwise: Says = NOT_FOUND): Asked {
  const paths: string[] = [];
  let now = 0;
  let most = 0;
  const said = (call: Call): Says => {
    const path = formatCallPath(call).replace("/api/v1/", "");
    paths.push(path);
    return says[path] ?? otherwise;
  };
  return {
    paths,
    width: () => most,
    remote: {
      async send(call) {
        const answer = said(call);
        if (!("body" in answer))
          throw "pages" in answer ? new Error("a list was read as one object") : fault(call, answer);
        return { status: 200, body: answer.body, attempts: 1 };
      },
      async *pages(call) {
        const answer = said(call);
        if ("body" in answer) throw new Error("an object was read as a list");
        if (!("pages" in answer)) throw fault(call, answer);
        for (const [place, page] of answer.pages.entries()) {
          const isLast = place + 1 === answer.pages.length && answer.broken === undefined;
          yield { rows: page, next: isLast ? "" : String(place + 1) };
        }
        if (answer.broken !== undefined) throw fault(call, answer.broken);
      },
      pace: {
        async limit(work) {
          now += 1;
          most = Math.max(most, now);
          try {
            return await work();
          } finally {
            now -= 1;
          }
        },
        lend: (wait) => wait(),
        report: () => ({ throttled: 0, refusals: 0, width: 1, widest: 1, narrowest: 1, perSecond: null }),
        watch: () => () => undefined,
      },
    },
  };
}

function fault(call: Call, { status, own = false, progress = "replied", attempts = 1 }: Fault): ApiError {
  const facts = { call, next: "stop", progress, attempts, status, own } as const;
  return new ApiError(`answered ${status}`, { ...NO_REPLY, ...facts, requestId: "r-1" });
}
