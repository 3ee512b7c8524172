import type { Clock } from "../model/clock.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Answer, Message, Transmit } from "../model/exchange.js";
import type { JsonObject } from "../model/json.js";
import { type Collector, LONGEST } from "./target.js";

/** What is sent, and where. */
export interface Letter {
  readonly url: string;
  readonly body: JsonObject;
}

/** Sends all letters at once and once. A collector that does not take them delays the run by the target's timeout at most. */
export async function sendAll(
  letters: readonly Letter[],
  { headers, timeout }: Pick<Collector, "headers" | "timeout">,
  transmit: Transmit,
  clock: Clock,
): Promise<readonly Diagnostic[]> {
  const late = new AbortController();
  const done = new AbortController();
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()]));
  const sending = letters.map(({ url, body }) => {
    const message: Message = {
      method: "POST",
      url,
      headers: { ...given, "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
      timeout,
    };
    return transmit(message, late.signal);
  });
  const waiting = clock.sleep(Math.min(timeout, LONGEST), done.signal).then(
    () => null,
    () => null,
  );
  const answers = await Promise.race([Promise.all(sending), waiting]);
  if (answers === null) late.abort();
  done.abort();
  const why =
    answers === null ? `no reply within ${timeout} ms` : answers.map(problemOf).find((one) => one !== null);
  return why === undefined || why === null ? [] : [notSent(why)];
}

function problemOf(answer: Answer): string | null {
  if (answer.as === "lost") return answer.code;
  if (answer.as === "too large") return "its reply is too large";
  return answer.status >= 200 && answer.status < 300 ? null : `it answered ${answer.status}`;
}

function notSent(why: string): Diagnostic {
  return {
    code: "telemetry/not-sent",
    severity: "warning",
    message: `the collector did not take the telemetry of this run: ${why}`,
    hint: "The run itself is not affected. Look at OTEL_EXPORTER_OTLP_ENDPOINT.",
  };
}
