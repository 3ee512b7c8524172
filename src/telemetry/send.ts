import type { Clock } from "../model/clock.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Answer, Message, Transmit } from "../model/exchange.js";
import type { JsonObject } from "../model/json.js";
import { say } from "../words/say.js";
import type { Collector } from "./collector.js";

/** What is sent, and where. */
export interface Letter {
  readonly to: Collector;
  readonly sort: "traces" | "metrics";
  readonly body: JsonObject;
}

/** Sends a letter once; gives why it was not taken. A collector delays the run by the letter's timeout at most. */
export async function sendLetter(
  letter: Letter,
  transmit: Transmit,
  clock: Clock,
): Promise<Diagnostic | null> {
  const late = new AbortController();
  const done = new AbortController();
  const { timeout } = letter.to;
  const waiting = clock.sleep(timeout, done.signal).then(
    () => null,
    () => null,
  );
  const sending = transmit(messageOf(letter), late.signal);
  const answer = await Promise.race([sending, waiting]);
  if (answer === null) late.abort();
  done.abort();
  const why = answer === null ? `no reply within ${timeout} ms` : problemOf(answer);
  return why === null ? null : say("telemetry/not-sent", { why });
}

function messageOf({ to, sort, body }: Letter): Message {
  const { url, headers, timeout } = to;
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.reveal()]);
  const type = "application/json";
  return {
    method: "POST",
    url: `${url}/v1/${sort}`,
    headers: { ...Object.fromEntries(given), "content-type": type, accept: type },
    body: JSON.stringify(body),
    timeout,
  };
}

function problemOf(answer: Answer): string | null {
  if (answer.as === "lost") return answer.code;
  if (answer.as === "too large") return "its reply is too large";
  return answer.status >= 200 && answer.status < 300 ? null : `it answered ${answer.status}`;
}
