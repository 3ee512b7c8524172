import type { Clock } from "../../model/clock.js";
import type { Message, Transmit } from "../../model/exchange.js";
import { say } from "../../words/say.js";
import { StateError } from "../store.js";
import { refused } from "./fault.js";

/** A whole reply of a store's server. */
export interface WebReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** Whether an earlier attempt may have had its effect: a write that is refused now may be done. */
  readonly isRepeated: boolean;
}

/** How a request is repeated. */
interface Repeating {
  /** The store, as messages name it. */
  readonly name: string;
  readonly transmit: Transmit;
  readonly clock: Clock;
  /** Whether a refusal of another kind passes, too. */
  readonly passes?: (reply: WebReply) => boolean;
}

/** Milliseconds between two attempts. */
const PAUSES = [100, 400, 1_600, 3_200];
/** Statuses of a server that cannot answer now. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Sends a request until the server answers it; each attempt is made anew, as it may be signed. It must be one that has
 * an effect only once. Throws a `StateError` where the server stays away.
 */
export async function untilAnswered(
  make: () => Promise<Message> | Message,
  { name, transmit, clock, passes }: Repeating,
): Promise<WebReply> {
  let isRepeated = false;
  /** Whether a connection was closed instead of an answer: others that are kept open may be no better. */
  let wasLost = false;
  let why = "";
  for (const pause of [0, ...PAUSES]) {
    if (pause > 0) await clock.sleep(pause);
    const message = await make();
    const answer = await transmit(wasLost ? { ...message, isOnNewConnection: true } : message);
    if (answer.as === "too large")
      throw refused(name, `its reply has more than ${answer.most} bytes`, "Check the address of the state.");
    if (answer.as === "lost") {
      if (answer.untrusted)
        throw refused(
          name,
          `its certificate is not trusted (${answer.code})`,
          "Name the certificate of its authority in NODE_EXTRA_CA_CERTS.",
        );
      isRepeated ||= answer.sent;
      wasLost = true;
      why = answer.code;
      continue;
    }
    const text = new TextDecoder().decode(answer.body);
    const reply = { status: answer.status, headers: answer.headers, text, isRepeated };
    if (!PASSING.has(reply.status) && passes?.(reply) !== true) return reply;
    // The server, or a proxy before it, may have lost only the reply.
    isRepeated ||= reply.status >= 500 || reply.status === 408;
    why = `status ${reply.status}`;
  }
  throw new StateError(say("state/unreachable#web", { name, why }), { refusal: "again" });
}

/** The value of a header that is there once. */
export function headerOf({ headers }: Pick<WebReply, "headers">, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : null;
}
