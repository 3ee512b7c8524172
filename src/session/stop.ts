import type { Clock } from "../model/clock.js";
import type { Session } from "./session.js";

/** Does work that the signal ends: it then rejects with the signal's reason, and does not wait for the work. */
export function untilAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (signal === undefined) return work();
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

/** The same session, which sends nothing more and waits no longer once the signal aborts. */
export function stoppable(session: Session, signal: AbortSignal | undefined): Session {
  if (signal === undefined) return session;
  const { clock, client } = session;
  return {
    ...session,
    clock: { ...clock, sleep: sleepUntil(signal, clock) },
    client: client === null ? null : clientUntil(signal, client),
  };
}

type Client = NonNullable<Session["client"]>;

function clientUntil(signal: AbortSignal, client: Client): Client {
  const send: Client["send"] = async (call, options) => {
    signal.throwIfAborted();
    return client.send(call, options);
  };
  const pages: Client["pages"] = async function* (call, options) {
    signal.throwIfAborted();
    for await (const page of client.pages(call, options)) {
      yield page;
      signal.throwIfAborted();
    }
  };
  return { ...client, send, pages };
}

function sleepUntil(signal: AbortSignal, clock: Clock): Clock["sleep"] {
  return (milliseconds, other) => clock.sleep(milliseconds, other ?? signal);
}
