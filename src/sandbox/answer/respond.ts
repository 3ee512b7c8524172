import { STATUS_CODES } from "node:http";
import type { Random } from "../../model/clock.js";
import type { Strike } from "../faults/faults.js";
import type { Ending, ErrorStatus, PageStatus } from "../faults/plan.js";
import type { Delivery, Parts } from "../http/delivery.js";
import type { Request, Response } from "../http/exchange.js";
import type { Named } from "../http/paths.js";
import type { Outcome } from "../log.js";
import { makeTraceId } from "../tenant/identity.js";

/** What was decided for a request, and how the reply is to leave. */
interface Responded extends Outcome {
  readonly reply: Response;
  readonly delivery: Delivery;
  /** Carries the request out, where that comes after the reply; says whether the tenant was written to. */
  readonly later: (() => boolean) | null;
}

/** A request with everything that its answer depends on. */
interface Asked {
  readonly request: Request;
  readonly authorization: string | undefined;
  readonly named: Named;
  readonly strike: Strike;
}

/** Has a request answered, at once: by a fault, by the doorkeeper, or by the service. */
export function respond({ request, authorization, named, strike }: Asked, parts: Parts): Responded {
  const { ending } = strike;
  const turnedAway = (reply: Response): Responded => ({
    reply,
    delivery: null,
    later: null,
    status: reply.status,
    reached: false,
    written: false,
    fault: faultOf(strike),
  });

  const instead = ending === null ? undefined : disruption(ending, strike, parts.random);
  const comesAfter =
    ending?.fault === "late" ||
    ((ending?.fault === "error" || ending?.fault === "html") && ending.written === true);
  if (ending?.fault === "expired") parts.auth.revoke(authorization);
  if (instead !== undefined && !comesAfter) return turnedAway(instead);

  const client = parts.auth.clientOf(authorization);
  if (named.guarded && client === undefined) return turnedAway(unauthenticated(parts.random));
  if (client !== undefined && !parts.auth.mayUse(client, named.operation)) {
    return turnedAway(forbidden(parts.random));
  }

  const carryOut = () => answer(request, client ?? "", strike, parts);
  if (ending?.fault === "late") {
    const reply = instead ?? NO_REPLY;
    return {
      ...turnedAway(reply),
      delivery: deliveryOf(strike),
      later: () => carryOut().status === 200 && named.writes,
      status: instead?.status ?? null,
      reached: true,
    };
  }
  const own = carryOut();
  const reply = instead ?? own;
  // The fault answers {} to a read, and to a write that was done; a refused write was not.
  const isRefusal = ending?.fault === "empty" && named.writes && own.status !== 200;
  return {
    reply,
    delivery: isRefusal ? null : deliveryOf(strike),
    later: null,
    status: reply.status,
    reached: true,
    written: named.writes && own.status === 200,
    fault: faultOf(strike),
  };
}

const NO_REPLY: Response = { status: 0, headers: {}, body: "" };

function answer(request: Request, client: string, { quirks }: Strike, parts: Parts): Response {
  try {
    return parts.auth.answer(request, client) ?? parts.serve(request, quirks);
  } catch (error) {
    parts.report(error);
    return broken(parts.random);
  }
}

/** The ending, where it is one that harms a reply on its way. */
function deliveryOf({ ending }: Strike): Delivery {
  switch (ending?.fault) {
    case "lost":
    case "slow":
    case "truncated":
    case "empty":
      return ending;
    case "html":
      return ending.status === undefined || ending.status === 200 ? ending : null;
    case "late":
      return ending.status === undefined ? ending : null;
    default:
      return null;
  }
}

function faultOf({ ending, quirks, delay }: Strike): string | null {
  if (ending !== null) return ending.fault === "error" ? String(ending.status) : ending.fault;
  if (Object.keys(quirks).length > 0) return "quirks";
  return delay > 0 ? "latency" : null;
}

/** The reply that stands in the place of the service's own. */
function disruption(ending: Ending, strike: Strike, random: Random): Response | undefined {
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
function unauthenticated(random: Random): Response {
  return refusal(401, 16, "unauthenticated", random, null);
}

/** The answer to a client that may not use the operation. */
function forbidden(random: Random): Response {
  return refusal(403, 7, WORDS[403].words, random, null);
}

/** The answer where the service itself broke. */
function broken(random: Random): Response {
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
