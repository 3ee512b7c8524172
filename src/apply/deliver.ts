import type { Kind } from "../kinds/kind.js";
import { isFindable } from "../kinds/listing.js";
import type { Call, Reply } from "../model/call.js";
import type { JsonObject } from "../model/json.js";
import { ApiError } from "../tenant/client/error.js";
import type { Seen } from "../tenant/known.js";
import type { SentCreate } from "../tenant/madeBy.js";
import { type Patience, readPatiently } from "./reads/patience.js";
import type { Service } from "./service.js";
import { type Settled, settle } from "./settle.js";

/** How sending one call of a step ended. */
export type Delivery =
  | {
      readonly as: "answered";
      readonly reply: Reply;
      /** How the reply differs from the documented one; null where it does not. */
      readonly strange: string | null;
      /** When it left for the first time, as the clock that measures durations counts. */
      readonly leftAt: number;
    }
  /** A create without a good reply, and what a read showed. `since` is not after it was sent, by the service's clock. */
  | { readonly as: "settled"; readonly settled: Settled; readonly error: ApiError; readonly since: number }
  | { readonly as: "failed"; readonly error: ApiError };

/** What delivering needs: how the object can be read back, null where it cannot. */
export interface Delivering extends Pick<Sending, "retried"> {
  /** Waited for before each time the call leaves; what it throws, `deliver` throws. */
  readonly leaving: () => Promise<void>;
  /** The service's time now, in milliseconds since 1970. */
  readonly serverTime: () => number;
  readonly kind: Kind;
  readonly applied: JsonObject;
  readonly send: Service["send"];
  readonly readBack: ((sent: SentCreate) => Promise<Seen>) | null;
  readonly patience: Patience;
  /** Waits, while other steps go on. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Says that the object is looked for, for so long at most. */
  readonly looking: (milliseconds: number, why: string) => void;
  /** Waits until all other steps have ended. */
  readonly untilLast: () => Promise<void>;
  /** Whether the run was stopped, so that nothing is waited for. */
  readonly isEnding: () => boolean;
}

type Sending = NonNullable<Parameters<Service["send"]>[1]>;

/** The least time a request whose reply was lost is given, before it counts as lost, too. */
const GRACE = 1_000;

/**
 * Sends one call. A write whose reply is not the documented one has succeeded, except a create that can be read back.
 * A create that got no good reply is settled by reading. If the object does not exist and no reply
 * came, the create is sent once more, because the service has not refused it. A create whose names may repeat is not
 * sent again, because a list may show its object late. It is looked for until lists may no longer lag, and once more
 * when the run has nothing else to do.
 */
export async function deliver(call: Call, delivering: Delivering): Promise<Delivery> {
  const { send, retried, readBack, patience } = delivering;
  let sent = 0;
  let first: number | null = null;
  async function leaving(): Promise<void> {
    await delivering.leaving();
    sent = patience.clock.elapsed();
    first ??= sent;
  }
  const answered = (reply: Reply, strange: string | null): Delivery => {
    return { as: "answered", reply, strange, leftAt: first ?? sent };
  };
  for (let isFirst = true; ; isFirst = false) {
    try {
      return answered(await send(call, { leaving, retried }), null);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const accepted = readBack === null || call.effect === "repeatable" ? accept(error) : null;
      if (accepted !== null) return answered(accepted, error.message);
      if (!isUnclear(error, call, readBack !== null)) return { as: "failed", error };
      const since = delivering.serverTime() - (patience.clock.elapsed() - (first ?? sent));
      const settled = await readAndSettle(error, sent, since, delivering);
      const isSentAgain = delivering.kind.namesRepeat !== true;
      if (settled.as === "missing" && isSentAgain && isFirst && error.isUnanswered) continue;
      return { as: "settled", settled, error, since };
    }
  }
}

/** A good status over JSON that is not the documented reply: the service did its work. Null for any other error. */
function accept({ fault, status, body, attempts }: ApiError): Reply | null {
  return fault === "other envelope" && status !== null && body !== undefined
    ? { status, body, attempts }
    : null;
}

function isUnclear(error: ApiError, { effect }: Call, canRead: boolean): boolean {
  if (effect !== "once" || error.progress === "never sent") return false;
  // An object that exists already may be the one that an earlier, lost attempt made.
  if (error.isConflict) return canRead || error.progress === "no reply";
  return error.next === "find out" || error.progress === "no reply";
}

async function readAndSettle(
  error: ApiError,
  sentAt: number,
  since: number,
  { kind, applied, readBack, patience, pause, looking, untilLast, isEnding }: Delivering,
): Promise<Settled> {
  if (readBack === null) return { as: "unknown", why: error.message };
  const { clock, milliseconds, createLag } = patience;
  const look = async () => settle(applied, await readBack({ applied, since }), kind);
  const isUnseen = ({ as }: Settled) => as === "missing" || as === "unknown";
  const isListed = kind.namesRepeat === true;
  const mayAppear = isFindable(kind, null) && (error.isUnanswered || isListed);
  const isOpen = (found: Settled) => mayAppear && isUnseen(found) && !isEnding();
  const remaining = () => Math.max(GRACE, sentAt + (isListed ? createLag : milliseconds) - clock.elapsed());
  let isTold = !isListed;
  const wait = (length: number) => {
    if (!isTold) looking(remaining(), error.message);
    isTold = true;
    return pause(length);
  };
  const seen = await readPatiently(look, isOpen, remaining, { clock, pause: wait });
  if (!mayAppear || !isListed || !isUnseen(seen)) return seen;
  await untilLast();
  return look();
}
