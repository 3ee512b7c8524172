import { dayOf, daysBefore } from "../state/encryption/texts.js";
import { partsOf } from "../state/record.js";
import type { Snapshot } from "../state/snapshot.js";
import type { StateRecording } from "../state/stateRecording.js";
import { type Lock, type Owner, StateError, type Store } from "../state/store.js";
import { walkHistory } from "../state/walkHistory.js";
import { timestamp } from "./journal/checkpoint.js";
import type { DoneStep, RecordedRun, RunRecord } from "./runRecord.js";
import { nextRecord, placedAgain, readRecord, withValues } from "./runRecord.js";
import type { Session } from "./session.js";

/** A run that its state is to remember. */
export interface EndedRun
  extends Pick<RecordedRun, "run" | "as" | "project" | "pullRequest" | "commit" | "effect" | "unwritten"> {
  readonly steps: readonly DoneStep[];
}

/** The next snapshot of a state, with a run at the end of its history. */
export interface RecordedSnapshot {
  /** What the next save keeps. */
  readonly snapshot: Snapshot;
  /** What of that the store keeps: where it refuses the record, the snapshot without it. Wait for it only after the save. */
  readonly kept: Promise<Snapshot>;
}

/** Records a run in the snapshot that is saved next; leaves it as it is where the store keeps no history. */
export function withRecord(
  snapshot: Snapshot,
  { steps, ...run }: EndedRun,
  lock: Lock,
  { store, client, clock }: Pick<Session, "store" | "client" | "clock">,
): RecordedSnapshot {
  if (store.history === null) return { snapshot, kept: Promise.resolve(snapshot) };
  const { host, user, job, command } = lock.owner;
  const [now, served] = [clock.now(), client?.serverTime() ?? null];
  const { head, kept } = nextRecord(
    snapshot.history,
    {
      ...run,
      at: new Date(served ?? now).toISOString(),
      clock: served === null ? "this machine" : "service",
      server: snapshot.server,
      by: { host, user, job, command },
      steps,
    },
    keepingTexts(store, now, served),
  );
  return withHead(snapshot, head, lock.append(kept, snapshot));
}

/**
 * How texts of values are kept with a record; null where they are not. What is forgotten does not come back, so two clocks
 * must say that its time is over.
 */
function keepingTexts({ valuesFor = 0 }: Pick<Store, "valuesFor">, now: number, served: number | null) {
  if (valuesFor === 0) return null;
  const time = Math.min(now, served ?? now);
  return { day: dayOf(time), forgetBefore: served === null ? null : daysBefore(time, valuesFor) };
}

function withHead(without: Snapshot, history: Snapshot["history"], keeping: Promise<void>): RecordedSnapshot {
  const snapshot = { ...without, ...(history !== undefined && { history }) };
  const kept = keeping.then(
    () => snapshot,
    (error) => {
      if (error instanceof StateError) return without;
      throw error;
    },
  );
  kept.catch(() => undefined);
  return { snapshot, kept };
}

/** A command that changes a state. */
export interface CommandRun extends Pick<RecordedRun, "run" | "project"> {
  readonly owner: Owner;
  readonly clock: Session["clock"];
}

/** The snapshot that a command saves, with its record; null where the store keeps no history. */
export function recordedCommand(
  store: Pick<Store, "history" | "valuesFor">,
  { owner, clock, run, project }: CommandRun,
  steps: readonly DoneStep[] = [],
): StateRecording {
  return (snapshot) => {
    if (store.history === null) return { snapshot, record: null };
    const { host, user, job, command } = owner;
    const { head, kept } = nextRecord(
      snapshot.history,
      {
        run,
        as: "command",
        at: timestamp(clock),
        clock: "this machine",
        server: snapshot.server,
        project: snapshot.project ?? project,
        pullRequest: null,
        commit: null,
        effect: { expected: null, applied: null },
        by: { host, user, job, command },
        steps,
        unwritten: [],
      },
      keepingTexts(store, clock.now(), null),
    );
    return { snapshot: { ...snapshot, history: head }, record: kept };
  };
}

/** The snapshot with a record that a run could not keep; the same where the history has that run. */
export async function withRescued(
  snapshot: Snapshot,
  text: string,
  lock: Lock,
  store: Pick<Store, "history" | "name">,
): Promise<Snapshot> {
  const parts = partsOf(text);
  const record = readRecord(parts.record);
  if (record === null || store.history === null) return snapshot;
  let isKnown = false;
  await walkHistory(store, snapshot.history, ({ record: known }) => {
    isKnown = readRecord(known)?.run === record.run;
    return !isKnown;
  });
  if (isKnown) return snapshot;
  const { head, kept } = placedAgain(snapshot.history, record, parts.texts);
  void lock.append(kept);
  return { ...snapshot, history: head };
}

/** A record, and its hash. */
export type FoundRecord = readonly [record: RunRecord, hash: string];

/** What is asked of a history. */
interface HistoryQuestion {
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
  const head = snapshot?.history;
  await walkHistory(store, head, ({ hash, record: text, texts }) => {
    const bare = readRecord(text);
    if (bare === null || head === undefined) return true;
    if (since !== null && Date.parse(bare.at) < since) return false;
    if (about !== null && recordsAbout([[bare, hash]], about).length === 0) return true;
    const record = withValues(bare, texts, head);
    found.push(...(about === null ? [[record, hash] as const] : recordsAbout([[record, hash]], about)));
    return true;
  });
  return found;
}

/** Those of some records that are about an address, a key or the name of a run, each with its steps about it. */
export function recordsAbout(found: readonly FoundRecord[], about: string): readonly FoundRecord[] {
  return found.flatMap(([record, hash]): readonly FoundRecord[] => {
    const steps = record.run === about ? record.steps : record.steps.filter(isAbout(about));
    return steps.length === 0 ? [] : [[{ ...record, steps }, hash]];
  });
}

function isAbout(about: string) {
  return ({ address, key }: RunRecord["steps"][number]) => address === about || key === about;
}
