import type { Checked } from "../model/diagnostic.js";
import type { Recalled } from "../plan/request.js";
import type { Snapshot } from "../state/snapshot.js";
import { type Lock, StateError } from "../state/store.js";
import { walkHistory } from "../state/walkHistory.js";
import { stepsOfJournal } from "./heardSteps.js";
import { type RecordedSnapshot, withRecord } from "./history.js";
import type { Recovery } from "./journal/recover.js";
import {
  firstRun,
  isChanged,
  isOnlyTrace,
  keepsNone,
  known,
  lostIn,
  type RecallAsked,
  readOwn,
  type StateRead,
  settleJournal,
} from "./recall.js";
import { readRecord } from "./runRecord.js";
import type { Session } from "./session.js";
import { stoppable, untilAborted } from "./stop.js";

/** The state, for an apply: what a killed run left open is settled, saved, and removed from the journal. Rejects where the signal aborts before. */
export async function recallUnderLock(
  session: Session,
  asked: RecallAsked,
  lock: Lock,
  interrupt?: AbortSignal,
): Promise<Checked<Recalled>> {
  const contents = await readOwn(session, asked);
  const settling = stoppable(session, interrupt);
  const found = await untilAborted(interrupt, () => settleJournal(contents, settling, asked.tenant));
  const lost = lostIn(contents);
  const traces = [...keepsNone(session.store, contents), ...lost];
  const isStateLost = lost.length > 0;
  if (found === null) {
    const first = firstRun(session.store, contents);
    return { value: { snapshot: contents.snapshot, isStateLost, ...first }, diagnostics: traces };
  }
  // Where the journal is the only trace of a state, it stays until an apply has recorded what it found.
  if (!found.complete || isOnlyTrace(contents)) {
    const value = { snapshot: known(found, contents.snapshot), isStateLost };
    return { value, diagnostics: [...traces, ...found.diagnostics] };
  }
  const { snapshot, kept } = await withRecovery(found, contents, lock, session, asked);
  if (snapshot !== contents.snapshot) await lock.save(snapshot, true);
  else await lock.journal.clear();
  // A state begins with the first line of its journal, also where the run behind it sent nothing.
  const value = { snapshot: await kept, isStateLost };
  return { value, diagnostics: [...traces, ...found.diagnostics] };
}

/** What is saved of a recovery: with the record of the run that was cut off, unless the history has that run. */
async function withRecovery(
  found: Recovery,
  { snapshot, journal, past: { head } }: StateRead,
  lock: Lock,
  session: Session,
  { project }: RecallAsked,
): Promise<RecordedSnapshot> {
  const isNew = isChanged(found, snapshot);
  const before = isNew ? found.snapshot : (snapshot ?? found.snapshot);
  const { store } = session;
  if (store.history === null || head === null || (await isRecorded(head.run, store, snapshot)))
    return { snapshot: before, kept: Promise.resolve(before) };
  const steps = stepsOfJournal(journal, found.settled, snapshot);
  const effect = { expected: null, applied: head.effect };
  const run = {
    run: head.run,
    as: "recovery",
    project: project.name,
    pullRequest: null,
    commit: null,
    effect,
    steps,
    unwritten: [],
  } as const;
  return withRecord(isNew ? before : { ...before, serial: before.serial + 1 }, run, lock, session);
}

/**
 * Whether the history has the run that a journal is of. Another apply would have settled the journal, so only commands
 * can have recorded something since.
 */
async function isRecorded(run: string, store: Session["store"], snapshot: Snapshot | null): Promise<boolean> {
  const last = snapshot?.history;
  if (last?.run === run) return true;
  let isFound = false;
  try {
    await walkHistory(store, last, ({ record: text }) => {
      const record = readRecord(text);
      isFound = record?.run === run;
      return !isFound && record?.as === "command";
    });
  } catch (error) {
    // A history that is not whole does not keep a run from being settled.
    if (!(error instanceof StateError)) throw error;
  }
  return isFound;
}
