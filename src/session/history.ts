import type { DoneStep, RecordedRun, RunRecord } from "../apply/runRecord.js";
import { nextRecord, placedAgain, readRecord } from "../apply/runRecord.js";
import type { Snapshot } from "../state/snapshot.js";
import { type Lock, StateError, type Store } from "../state/store.js";
import { walkHistory } from "../state/walkHistory.js";
import type { Session } from "./session.js";

/** A run that its state is to remember. */
export interface EndedRun extends Pick<RecordedRun, "run" | "as" | "project" | "commit" | "effect"> {
  readonly steps: readonly DoneStep[];
}

/**
 * The snapshot with a run at the end of its history; it counts once that snapshot is saved. The same snapshot where the
 * store keeps no history, and where it does not take the record: the lock remembers that.
 */
export async function withRecord(
  snapshot: Snapshot,
  { steps, ...run }: EndedRun,
  lock: Lock,
  { store, client, clock }: Pick<Session, "store" | "client" | "clock">,
): Promise<Snapshot> {
  if (store.history === null) return snapshot;
  const { host, user, job, command } = lock.owner;
  const { head, kept } = nextRecord(snapshot.history, {
    ...run,
    at: new Date(client === null ? clock.now() : client.serverTime()).toISOString(),
    clock: client === null ? "this machine" : "service",
    server: snapshot.server,
    by: { host, user, job, command },
    steps,
  });
  try {
    await lock.append(kept);
    return { ...snapshot, history: head };
  } catch (error) {
    if (error instanceof StateError) return snapshot;
    throw error;
  }
}

/** The snapshot with a record that a run could not keep; the same where the history has that run. */
export async function withRescued(
  snapshot: Snapshot,
  text: string,
  lock: Lock,
  store: Pick<Store, "history" | "name">,
): Promise<Snapshot> {
  const record = readRecord(text);
  if (record === null || store.history === null) return snapshot;
  let isKnown = false;
  await walkHistory(store, snapshot.history, ({ text: known }) => {
    isKnown = readRecord(known)?.run === record.run;
    return !isKnown;
  });
  if (isKnown) return snapshot;
  const { head, kept } = placedAgain(snapshot.history, record);
  await lock.append(kept);
  return { ...snapshot, history: head };
}

/** A record, and its hash. */
export type FoundRecord = readonly [record: RunRecord, hash: string];

/** What is asked of a history. */
export interface HistoryQuestion {
  /** An address, or the name of a run; null for all. */
  readonly about: string | null;
  /** Only records from then on, in milliseconds since 1970; null for all. */
  readonly since: number | null;
}

/** The records that an answer consists of, the newest first, each with the steps that are asked for. */
export async function historyOf(
  store: Pick<Store, "history" | "name">,
  snapshot: Snapshot | null,
  { about, since }: HistoryQuestion,
): Promise<readonly FoundRecord[]> {
  const found: FoundRecord[] = [];
  await walkHistory(store, snapshot?.history, ({ hash, text }) => {
    const record = readRecord(text);
    if (record === null) return true;
    if (since !== null && Date.parse(record.at) < since) return false;
    const steps = about === null || record.run === about ? record.steps : record.steps.filter(isAbout(about));
    if (steps.length > 0 || about === null) found.push([{ ...record, steps }, hash]);
    return true;
  });
  return found;
}

function isAbout(about: string) {
  return ({ address, key }: RunRecord["steps"][number]) => address === about || key === about;
}
