import type { Random } from "../model/clock.js";
import type { Response } from "./exchange.js";
import type { Ending } from "./faults/plan.js";
import type { Strike } from "./faults.js";
import { makeTraceId } from "./identity.js";

/** The reply that stands in the place of the service's own. */
export function disruption(ending: Ending, strike: Strike, random: Random): Response | undefined {
  switch (ending.fault) {
    case "throttle":
    case "bucket":
      return refusal(429, 8, "rate limit exceeded", random, strike.retryAfter);
    case "error": {
      if (ending.status === 502) return GATEWAY;
      const { code, words } = WORDS[ending.status];
      return refusal(ending.status, code, words, random, strike.retryAfter);
    }
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

/** The answer where the service itself broke. */
export function broken(random: Random): Response {
  return refusal(500, 13, WORDS[500].words, random, null);
}

const WORDS = {
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
