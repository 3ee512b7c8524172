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

/**
 * The same session, for work that `untilAborted` ends. Once the signal aborts, nothing more is sent, and no call and no
 * wait comes to an end: a rejection would have no one to hear it.
 */
export function stoppable(session: Session, signal: AbortSignal | undefined): Session {
  if (signal === undefined) return session;
  const { clock, client } = session;
  const sleep: Clock["sleep"] = (milliseconds, other) =>
    unlessAborted(signal, () => clock.sleep(milliseconds, other));
  return {
    ...session,
    clock: { ...clock, sleep },
    client: client === null ? null : clientUntil(signal, client),
  };
}

type Client = NonNullable<Session["client"]>;

function clientUntil(signal: AbortSignal, client: Client): Client {
  const send: Client["send"] = (call, options) => unlessAborted(signal, () => client.send(call, options));
  const pages: Client["pages"] = async function* (call, options) {
    const rest = client.pages(call, options)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await unlessAborted(signal, () => rest.next());
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await rest.return?.();
    }
  };
  return { ...client, send, pages };
}

/** What the work comes to; nothing, ever, once the signal aborts. */
function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return;
    work().then(
      (value) => {
        if (!signal.aborted) resolve(value);
      },
      (error) => {
        if (!signal.aborted) reject(error);
      },
    );
  });
}
