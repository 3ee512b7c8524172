import type { Clock } from "../../model/clock.js";
import { FORMAT } from "../../state/format.js";
import type { Head } from "../../state/journalHead.js";
import type { Journal } from "../../state/store.js";
import type { Recorder } from "../event.js";
import { timestamp } from "./checkpoint.js";
import { type Answered, type Intended, readLine } from "./line.js";
import type { Ended } from "./openSnapshot.js";

/** What is known of a write without an outcome: everything that remit meant to send, and what was answered. */
export interface Pending {
  readonly intended: Intended;
  readonly answered: Answered | null;
  readonly at: string;
  /** When it was intended by the service's clock; null where that was not recorded. */
  readonly serverAt: string | null;
  /** What was answered to a create whose object was then looked for; null where no answer is known. */
  readonly unclear: string | null;
}

/** What a journal tells of runs that did not end. */
export interface Past {
  /** Null for an empty journal. */
  readonly head: Head | null;
  readonly ended: readonly { readonly ended: Ended; readonly at: string }[];
  readonly pending: readonly Pending[];
  /** Lines that could not be read, and that no person has set aside. */
  readonly damaged: number;
}

/**
 * Writes an apply down so that it can be cut off at any instant:
 *
 * 1. An intent is on the disk before its request leaves. A request without an intent was never sent.
 * 2. An outcome is noted when the reply arrives, with all that the state needs of it. It reaches the disk with the next
 * intent at the latest. An intent without an outcome may or may not have taken effect, and is settled by reading.
 * 3. Checkpoints replace the whole snapshot and do not shorten the journal: an outcome is in the
 *    journal until a snapshot that has it is on the disk. Taking up an outcome twice changes nothing.
 * 4. The journal is cleared after the last snapshot is kept. Cut off between the two, the next run takes up every
 *    outcome once more.
 * 5. An intent has the service's time as well, because the next run waits by it, and may be on another machine.
 * 6. The next run recovers before it writes anything, under the lock; recovering only reads the service, and is itself
 *    kept and cleared in this order.
 *
 * So a create is sent a second time only after a read has shown that the first created nothing. An object that was
 * created is in the snapshot, in an outcome, or behind an intent.
 */
export function makeJournal(
  journal: Pick<Journal, "append" | "note">,
  head: Omit<Head, "type" | "formatVersion">,
  clock: Clock,
  serverTime: (() => number) | null = null,
): Recorder {
  let isBegun = false;
  const serverAt = () => (serverTime === null ? {} : { serverAt: new Date(serverTime()).toISOString() });
  const first = { type: "run", formatVersion: FORMAT, ...head };
  const line = (value: object) => JSON.stringify({ at: timestamp(clock), ...value });

  return async (event) => {
    switch (event.type) {
      case "intended":
        if (!isBegun) journal.note(line(first));
        isBegun = true;
        return journal.append(line({ ...serverAt(), ...event }));
      case "answered":
        // The last one is part of the step's outcome, which follows at once.
        return event.call < event.of - 1 ? journal.note(line(event)) : undefined;
      // Sent for sure, which only an outcome would say.
      case "looking":
        return journal.append(line(event));
      case "step finished": {
        if (!isBegun && event.record === null && event.existing === undefined && event.outcome !== "done") {
          return;
        }
        if (!isBegun) journal.note(line(first));
        isBegun = true;
        const { type, address, action, outcome, step, deleted, key, record, existing, since } = event;
        const diagnostics = outcome === "uncertain" ? event.diagnostics : [];
        return journal.note(
          line({ type, address, action, outcome, step, deleted, key, record, existing, since, diagnostics }),
        );
      }
      default:
    }
  };
}

/** The line that sets aside what of a journal cannot be read. */
export function setAsideLine(clock: Clock): string {
  return JSON.stringify({ at: timestamp(clock), type: "set aside" });
}

/** Reads a journal back: what ended, and what is pending. */
export function readJournal(lines: readonly string[]): Past {
  let head: Head | null = null;
  let damaged = 0;
  const ended: { ended: Ended; at: string }[] = [];
  const pending = new Map<string, Pending>();
  for (const text of lines) {
    const line = readLine(text);
    if (line === undefined) {
      damaged += 1;
      continue;
    }
    const { at, serverAt = null, ...entry } = line;
    if (entry.type === "run") {
      head ??= entry;
      continue;
    }
    if (entry.type === "set aside") {
      damaged = 0;
      continue;
    }
    const name = `${entry.address.kind}/${entry.address.name}`;
    if (entry.type === "intended")
      pending.set(name, { intended: entry, answered: null, at, serverAt, unclear: null });
    else if (entry.type === "answered") {
      const before = pending.get(name);
      if (before !== undefined) pending.set(name, { ...before, answered: entry, at });
    } else if (entry.type === "looking") {
      const before = pending.get(name);
      if (before?.intended.action === "create") pending.set(name, { ...before, unclear: entry.why });
    } else {
      pending.delete(name);
      ended.push({ ended: entry, at });
    }
  }
  return { head, ended, pending: [...pending.values()], damaged };
}
