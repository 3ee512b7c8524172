import { kindNamed, kinds } from "../kinds/index.js";
import { isLive } from "../kinds/interface.js";
import { isFindable } from "../kinds/listing.js";
import { mayReplaceUnseen } from "../plan/guards/acknowledge.js";
import { type Plan, showsReads } from "../plan/plan.js";
import { isWriting } from "../plan/saved/effect.js";
import { deedOf } from "../plan/step.js";
import { takenBy } from "../state/belonging.js";
import { type Applying, newSnapshot, type Snapshot } from "../state/snapshot.js";
import type { Recorder } from "./event.js";
import type { RunHeld } from "./hold.js";
import type { Job } from "./job.js";
import { makeCheckpoint } from "./journal/checkpoint.js";
import { makeJournal } from "./journal/journal.js";
import type { Order } from "./order.js";
import type { Applied } from "./result.js";
import { clientOf, type Session } from "./session.js";
import { runPlan } from "./work.js";

/** A plan to be carried out: its effect, how far an apply of it has come, and when it was made, if by this run. */
type ToApply = Pick<Job, "plan" | "plannedAt"> & { readonly applying: Applying };

/**
 * A plan becomes calls, and everything that happens becomes events. The journal records an event first, so that a run
 * that is killed can be recovered. The last snapshot is kept, and the journal cleared after it, as the lock is given up. Call this only with a plan that was checked, under its lock.
 */
export async function carryOut(
  { plan, applying, plannedAt }: ToApply,
  project: string | null,
  { request, lineage, run, interrupt }: Order,
  snapshot: Snapshot | null,
  { lock, heard }: RunHeld,
  session: Session,
): Promise<Applied> {
  const client = clientOf(session);
  const { store, clock, requestTimeout: patience, createLag } = session;
  const { rhythm } = store;
  const known = snapshot ?? newSnapshot(lineage, plan.server);
  const taken = takenBy(known, project, lock.owner);
  const start = { ...taken, applying, wasRead: known.wasRead || showsReads(plan) };
  const { serial } = start;
  const named = start.project !== undefined && { project: start.project };
  const whose = { server: plan.server, lineage: start.lineage, ...named };
  const unseen = unseenCreates(plan);
  const head = { run, ...whose, serial, effect: applying.effect, ...(unseen.length > 0 && { unseen }) };
  const writeDown = makeJournal(lock.journal, head, clock, client.serverTime);
  const checkpoint = makeCheckpoint(lock, start, clock, rhythm);
  const recorder: Recorder = async (event) => {
    await writeDown(event);
    await checkpoint.record(event);
    await heard.listener(event);
  };
  const { effect, created = [] } = applying;
  const { summary, fault } = await runPlan({
    ...{ plan, plannedAt, snapshot, run, effect, created },
    ...{ clock, rhythm, patience, createLag, interrupt, kinds, service: client, recorder },
    ownersLag: request.tenant.ownersLag ?? 0,
    ...(request.tenant.lateSince !== undefined && { lateSince: request.tenant.lateSince }),
    lost: lock.lost,
    confirm: lock.confirm,
    mayReplaceUnseen: (address) => mayReplaceUnseen(address, request.rules),
  });
  // Another run has the lock: what this run did stays in the journal, and the next run settles it.
  if (lock.lost.aborted) return { summary, snapshot: null, fault, ending: {} };
  const isDone = summary.outcomes.done === plan.steps.filter(isWriting).length;
  const { snapshot: last, isOpen } = await checkpoint.finish(isDone);
  return { summary, snapshot: last, fault, ending: { snapshot: isOpen ? last : null, isCleared: true } };
}

/** The kinds of a plan's creates whose objects the service does not show afterwards: only the journal knows of them. */
function unseenCreates({ steps, interface: { kinds } }: Plan): readonly string[] {
  const isSeen = (name: string) => {
    const kind = kindNamed(name);
    return kind !== undefined && isLive(kinds, name) && isFindable(kind, null);
  };
  const created = steps.filter((step) => deedOf(step) === "create").map(({ address }) => address.kind);
  return [...new Set(created)].filter((name) => !isSeen(name)).sort();
}
