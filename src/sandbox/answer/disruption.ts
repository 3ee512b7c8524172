import { STATUS_CODES } from "node:http";
import type { Random } from "../../model/clock.js";
import type { Strike } from "../faults/faults.js";
import type { Ending, ErrorStatus, PageStatus } from "../faults/plan.js";
import type { Response } from "../http/exchange.js";
import { makeTraceId } from "../tenant/identity.js";

/** The reply that stands in the place of the service's own. */
export function disruption(ending: Ending, strike: Strike, random: Random): Response | undefined {
  switch (ending.fault) {
    case "throttle":
    case "bucket":
      return refusal(429, 8, "rate limit exceeded", random, strike.retryAfter);
    case "error":
      return error(ending.status, strike, random);
    case "late":
      return ending.status === undefined ? undefined : error(ending.status, strike, random);
    case "html":
      return ending.status === undefined || ending.status === 200 ? undefined : page(ending.status);
    case "expired":
      return unauthenticated(random);
    default:
      return undefined;
  }
}

/** The answer to a request without a good token. */
export function unauthenticated(random: Random): Response {
  return refusal(401, 16, "unauthenticated", random, null);
}

/** The answer to a client that may not use the operation. */
export function forbidden(random: Random): Response {
  return refusal(403, 7, WORDS[403].words, random, null);
}

/** The answer where the service itself broke. */
export function broken(random: Random): Response {
  return refusal(500, 13, WORDS[500].words, random, null);
}

function error(status: ErrorStatus, { retryAfter }: Strike, random: Random): Response {
  if (status === 502) return GATEWAY;
  const { code, words } = WORDS[status];
  return refusal(status, code, words, random, retryAfter);
}

// 408 has no code of its own in the service's table of statuses; the nearest is that of a deadline.
const WORDS = {
  401: { code: 16, words: "unauthenticated" },
  403: { code: 7, words: "permission denied" },
  404: { code: 5, words: "not found" },
  408: { code: 4, words: "request timeout" },
  409: { code: 10, words: "aborted" },
  499: { code: 1, words: "canceled" },
  500: { code: 13, words: "internal error" },
  503: { code: 14, words: "service unavailable" },
  504: { code: 4, words: "deadline exceeded" },
} as const;

// What stands before the service answers this one, and it speaks no JSON.
const GATEWAY: Response = {
  status: 502,
  headers: { "content-type": "text/html" },
  body: "<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>",
};

/** A page of what stands before the service. */
function page(status: PageStatus): Response {
  const words = `${status} ${STATUS_CODES[status]}`;
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!doctype html><html lang="en"><title>${words}</title><body><h1>${words}</h1></body></html>`,
  };
}

function refusal(
  status: number,
  code: number,
  words: string,
  random: Random,
  retryAfter: number | string | null,
): Response {
  const traceId = makeTraceId(random);
  return {
    status,
    headers: {
      "content-type": "application/json",
      "c1-trace-id": traceId,
      ...(retryAfter === null ? {} : { "retry-after": String(retryAfter) }),
    },
    body: { code, message: `${words} (request-id: ${traceId})` },
  };
}
