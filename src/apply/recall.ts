import type { Checked, Diagnostic } from "../model/diagnostic.js";
import type { Recalled, Request } from "../plan/request.js";
import { otherServer } from "../plan/server.js";
import { checkProject, withName } from "../state/belonging.js";
import { ownerInWords } from "../state/owner.js";
import { newSnapshot, type Snapshot } from "../state/snapshot.js";
import type { Contents, Owner, Trace } from "../state/store.js";
import { say } from "../words/say.js";
import type { Past, Pending } from "./journal/journal.js";
import type { Recovery } from "./journal/recover.js";
import type { Session } from "./session.js";

/** For which project a state is read, and on which interface what it left open is settled. */
export type RecallAsked = {
  readonly tenant: Pick<Request["tenant"], "interface" | "server">;
  readonly project: Pick<Request["project"], "name">;
};

/**
 * The state, for a plan: no lock is taken and nothing is written. What a killed run left open is settled by reading
 * the service. While another run holds the lock, its open writes are only reported.
 */
export async function recall(session: Session, asked: RecallAsked): Promise<Checked<Recalled>> {
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
  const { pending } = contents.past;
  const more =
    held !== null ? pending.map(beingChanged(held.by)) : client === null ? pending.map(open) : [notRecorded];
  const value = { snapshot: known(found, snapshot), isStateLost };
  return { value, diagnostics: [...traces, ...found.diagnostics, ...more] };
}

/** What a store contains, and what its journal tells. */
export interface StateRead extends Contents {
  readonly past: Past;
}

/** What the store contains; throws a `StateError` where that belongs to another project. */
export async function readOwn({ store }: Session, { project }: RecallAsked): Promise<StateRead> {
  const contents = await store.read();
  const { snapshot, journal } = contents;
  // Few runs are killed, so most journals are empty.
  const past = journal.length === 0 ? NO_PAST : (await import("./journal/journal.js")).readJournal(journal);
  const begun = snapshot === null ? past.head?.project : undefined;
  checkProject(store.name, snapshot?.project ?? begun, project.name);
  return { ...contents, past };
}

const NO_PAST: Past = { head: null, ended: [], pending: [], damaged: 0 };

/** Null when the journal has nothing to settle, and where the state is of another server: this one shows nothing of it. */
export async function settleJournal(
  { snapshot, journal, past }: StateRead,
  { store, client, clock, requestTimeout: milliseconds, createLag }: Session,
  { interface: on, server }: RecallAsked["tenant"],
): Promise<Recovery | null> {
  if (journal.length === 0 || otherServer(snapshot, server).length > 0) return null;
  const { recover } = await import("./journal/recover.js");
  const { head } = past;
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
export function firstRun(
  { name, isRemote }: Session["store"],
  { snapshot, trace, journal }: Contents,
): Pick<Recalled, "firstRunIn"> {
  return isRemote && snapshot === null && trace === null && journal.length === 0 ? { firstRunIn: name } : {};
}

/** A new state in a store that keeps no history. */
export function keepsNone(
  { name, history }: Session["store"],
  { snapshot }: Contents,
): readonly Diagnostic[] {
  if (history !== null || snapshot !== null) return [];
  return [say("state/no-history#history", { name })];
}

/** A state without a key that many can change. */
function openState({ name, openTo }: Session["store"]): readonly Diagnostic[] {
  if (openTo === null) return [];
  return [say("state/open", { openTo, name })];
}

/** A trace or a journal without its state: a state existed, and this run does not know what was in it. */
export function lostIn(contents: StateRead): readonly Diagnostic[] {
  if (contents.trace !== null) return [say("state/lost", contents.trace)];
  return isOnlyTrace(contents) ? [say("state/lost", JOURNAL_ALONE)] : [];
}

const JOURNAL_ALONE: Trace = {
  what: "the journal of a run that was killed",
  remedy: "Restore the state from a copy. Without it, remit cannot know what else exists: check each object.",
};

/** Whether a journal tells of a state that is missing, and nothing else does. */
export function isOnlyTrace({ snapshot, trace, past: { head } }: StateRead): boolean {
  if (snapshot !== null || trace !== null) return false;
  return head !== null && head.serial > 0;
}

export function isChanged({ snapshot }: Recovery, saved: Snapshot | null): boolean {
  return snapshot.serial !== (saved?.serial ?? 0);
}

/** No snapshot where none was saved and the journal adds nothing. */
export function known(found: Recovery, saved: Snapshot | null): Snapshot | null {
  return isChanged(found, saved) ? found.snapshot : saved;
}

function beingChanged(by: Owner | null): (pending: Pending) => Diagnostic {
  return ({ intended }) => say("plan/being-changed", { address: intended.address, by: ownerInWords(by) });
}

function open({ intended }: Pending): Diagnostic {
  return say("plan/not-settled", { address: intended.address });
}

const notRecorded: Diagnostic = say("plan/not-recorded");
