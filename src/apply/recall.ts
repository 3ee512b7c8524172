import type { Checked, Diagnostic } from "../model/diagnostic.js";
import type { Recalled, Request } from "../plan/request.js";
import { otherServer } from "../plan/server.js";
import { checkProject, withName } from "../state/belonging.js";
import { ownerInWords } from "../state/owner.js";
import { newSnapshot, type Snapshot } from "../state/snapshot.js";
import { type Contents, type Lock, type Owner, StateError, type Trace } from "../state/store.js";
import { walkHistory } from "../state/walkHistory.js";
import { say } from "../words/say.js";
import { stepsOfJournal } from "./heardSteps.js";
import { type RecordedSnapshot, withRecord } from "./history.js";
import { type Pending, readJournal } from "./journal/journal.js";
import { type Recovery, recover } from "./journal/recover.js";
import { readRecord } from "./runRecord.js";
import type { Session } from "./session.js";
import { stoppable, untilAborted } from "./stop.js";

/** For which project a state is read, and on which interface what it left open is settled. */
type Asked = {
  readonly tenant: Pick<Request["tenant"], "interface" | "server">;
  readonly project: Pick<Request["project"], "name">;
};

/**
 * The state, for a plan: no lock is taken and nothing is written. What a killed run left open is settled by reading
 * the service. While another run holds the lock, its open writes are only reported.
 */
export async function recall(session: Session, asked: Asked): Promise<Checked<Recalled>> {
  const contents = await readOwn(session, asked);
  const { held, snapshot } = contents;
  const client = held === null ? session.client : null;
  const found = await settleJournal(contents, { ...session, client }, asked.tenant);
  const lost = lostIn(contents);
  const isStateLost = lost.length > 0;
  const traces = [...openState(session.store), ...keepsNone(session.store, contents), ...lost];
  if (found === null) {
    const first = firstRun(session.store, contents);
    return { value: { snapshot, isStateLost, ...first }, diagnostics: traces };
  }
  const { pending } = readJournal(contents.journal);
  const more =
    held !== null ? pending.map(beingChanged(held.by)) : client === null ? pending.map(open) : [notRecorded];
  const value = { snapshot: known(found, snapshot), isStateLost };
  return { value, diagnostics: [...traces, ...found.diagnostics, ...more] };
}

/** The state, for an apply: what a killed run left open is settled, saved, and removed from the journal. Rejects where the signal aborts before. */
export async function recallUnderLock(
  session: Session,
  asked: Asked,
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
  { snapshot, journal }: Contents,
  lock: Lock,
  session: Session,
  { project }: Asked,
): Promise<RecordedSnapshot> {
  const { head } = readJournal(journal);
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

/** What the store contains; throws a `StateError` where that belongs to another project. */
async function readOwn({ store }: Session, { project }: Asked): Promise<Contents> {
  const contents = await store.read();
  const { snapshot, journal } = contents;
  const begun = snapshot === null ? readJournal(journal).head?.project : undefined;
  checkProject(store.name, snapshot?.project ?? begun, project.name);
  return contents;
}

/** Null when the journal has nothing to settle, and where the state is of another server: this one shows nothing of it. */
async function settleJournal(
  { snapshot, journal }: Contents,
  { store, client, clock, requestTimeout: milliseconds, createLag }: Session,
  { interface: on, server }: Asked["tenant"],
): Promise<Recovery | null> {
  if (journal.length === 0 || otherServer(snapshot, server).length > 0) return null;
  const { head } = readJournal(journal);
  const known = snapshot ?? withName(newSnapshot(head?.lineage ?? "", server), head?.project ?? null);
  return recover({
    journal,
    store: store.name,
    snapshot: known,

    on,
    service: client,
    patience: { clock, milliseconds, createLag, horizon: store.rhythm.horizon },
  });
}

/** A state begins with the first line of its journal, also where the run behind it sent nothing. */
function firstRun(
  { name, isRemote }: Session["store"],
  { snapshot, trace, journal }: Contents,
): Pick<Recalled, "firstRunIn"> {
  return isRemote && snapshot === null && trace === null && journal.length === 0 ? { firstRunIn: name } : {};
}

/** A new state in a store that keeps no history. */
function keepsNone({ name, history }: Session["store"], { snapshot }: Contents): readonly Diagnostic[] {
  if (history !== null || snapshot !== null) return [];
  return [say("state/no-history#history", { name })];
}

/** A state without a key that many can change. */
function openState({ name, openTo }: Session["store"]): readonly Diagnostic[] {
  if (openTo === null) return [];
  return [say("state/open", { openTo, name })];
}

/** A trace or a journal without its state: a state existed, and this run does not know what was in it. */
function lostIn(contents: Contents): readonly Diagnostic[] {
  if (contents.trace !== null) return [say("state/lost", contents.trace)];
  return isOnlyTrace(contents) ? [say("state/lost", JOURNAL_ALONE)] : [];
}

const JOURNAL_ALONE: Trace = {
  what: "the journal of a run that was killed",
  remedy: "Restore the state from a copy. Without it, remit cannot know what else exists: check each object.",
};

/** Whether a journal tells of a state that is missing, and nothing else does. */
function isOnlyTrace({ snapshot, trace, journal }: Contents): boolean {
  if (snapshot !== null || trace !== null) return false;
  const { head } = readJournal(journal);
  return head !== null && head.serial > 0;
}

function isChanged({ snapshot }: Recovery, saved: Snapshot | null): boolean {
  return snapshot.serial !== (saved?.serial ?? 0);
}

/** No snapshot where none was saved and the journal adds nothing. */
function known(found: Recovery, saved: Snapshot | null): Snapshot | null {
  return isChanged(found, saved) ? found.snapshot : saved;
}

function beingChanged(by: Owner | null): (pending: Pending) => Diagnostic {
  return ({ intended }) => say("plan/being-changed", { address: intended.address, by: ownerInWords(by) });
}

function open({ intended }: Pending): Diagnostic {
  return say("plan/not-settled", { address: intended.address });
}

const notRecorded: Diagnostic = say("plan/not-recorded");
