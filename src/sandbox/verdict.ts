import type { Manner } from "./delivery.js";
import { broken, disruption, unauthenticated } from "./disruption.js";
import type { Request, Response } from "./exchange.js";
import type { Strike } from "./faults.js";
import type { House } from "./house.js";
import type { Named } from "./label.js";
import type { Visitor } from "./visitor.js";
import type { Outcome } from "./witness.js";

/** What was decided for a request, and how the reply is to leave. */
export interface Verdict extends Outcome {
  readonly reply: Response;
  readonly manner: Manner;
}

/** A request with everything that its verdict depends on. */
export interface Plea {
  readonly request: Request;
  readonly authorization: string | undefined;
  readonly isLocal: boolean;
  readonly named: Named;
  readonly strike: Strike;
}

/** Has a request answered, at once: by a fault, by the doorkeeper, or by the service. */
export function decide({ request, authorization, isLocal, named, strike }: Plea, house: House): Verdict {
  const { ending } = strike;
  const turnedAway = (reply: Response): Verdict => ({
    reply,
    manner: null,
    status: reply.status,
    reached: false,
    written: false,
    fault: faultOf(strike),
  });

  const instead = ending === null ? undefined : disruption(ending, strike, house.random);
  const comesAfter = ending?.fault === "error" && ending.written === true;
  if (ending?.fault === "expired") house.auth.revoke(authorization);
  if (instead !== undefined && !comesAfter) return turnedAway(instead);

  const client = house.auth.clientOf(authorization);
  if (named.guarded && client === undefined) return turnedAway(unauthenticated(house.random));

  const own = answer(request, { client: client ?? "", isLocal }, strike, house);
  const reply = instead ?? own;
  return {
    reply,
    manner: mannerOf(strike),
    status: reply.status,
    reached: true,
    written: named.writes && own.status === 200,
    fault: faultOf(strike),
  };
}

function answer(request: Request, visitor: Visitor, { quirks }: Strike, house: House): Response {
  try {
    return house.auth.answer(request, visitor) ?? house.serve(request, quirks);
  } catch (error) {
    house.report(error);
    return broken(house.random);
  }
}

/** The ending, where it is one that harms a reply on its way. */
function mannerOf({ ending }: Strike): Manner {
  switch (ending?.fault) {
    case "lost":
    case "slow":
    case "truncated":
    case "html":
      return ending;
    default:
      return null;
  }
}

function faultOf({ ending, quirks, delay }: Strike): string | null {
  if (ending !== null) return ending.fault === "error" ? String(ending.status) : ending.fault;
  if (Object.keys(quirks).length > 0) return "quirks";
  return delay > 0 ? "latency" : null;
}
