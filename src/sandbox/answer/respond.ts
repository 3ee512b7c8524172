import type { Strike } from "../faults/faults.js";
import type { Delivery } from "../http/delivery.js";
import type { Request, Response } from "../http/exchange.js";
import type { Named } from "../http/label.js";
import type { Parts } from "../http/parts.js";
import type { Visitor } from "../http/visitor.js";
import type { Outcome } from "../log.js";
import { broken, disruption, forbidden, unauthenticated } from "./disruption.js";

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
  readonly isLocal: boolean;
  readonly named: Named;
  readonly strike: Strike;
}

/** Has a request answered, at once: by a fault, by the doorkeeper, or by the service. */
export function respond({ request, authorization, isLocal, named, strike }: Asked, parts: Parts): Responded {
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

  const carryOut = () => answer(request, { client: client ?? "", isLocal }, strike, parts);
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

function answer(request: Request, visitor: Visitor, { quirks }: Strike, parts: Parts): Response {
  try {
    return parts.auth.answer(request, visitor) ?? parts.serve(request, quirks);
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
