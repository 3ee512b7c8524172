import type { Client } from "../api/client.js";
import { kinds } from "../kinds/index.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { showsReads } from "../plan/plan.js";
import { isWriting } from "../plan/saved/effect.js";
import { takenBy } from "../state/belonging.js";
import { type Applying, newSnapshot, type Snapshot } from "../state/snapshot.js";
import type { Ending, Lock } from "../state/store.js";
import type { Recorder } from "./event.js";
import type { PlanToApply } from "./job.js";
import { makeCheckpoint } from "./journal/checkpoint.js";
import { makeJournal } from "./journal/journal.js";
import { unseenCreates } from "./journal/unseenCreates.js";
import type { Summary } from "./summary.js";
import { runPlan } from "./work.js";

/** What a plan is applied with. */
export interface Task extends PlanToApply {
  /** The plan's effect, and how far an apply of it has come. */
  readonly applying: Applying;
  /** The project's name, which the state takes where it has none; null where it takes none. */
  readonly project: string | null;
  readonly client: Client;
  /** A name for a new state, that no other has. */
  readonly lineage: string;
  /** Hears every event, and is waited for. */
  readonly listener: Recorder;
  readonly interrupt: AbortSignal;
}

/** What an apply came to, and the snapshot at its end; null where another run has the lock. */
export interface Applied {
  readonly summary: Summary;
  readonly snapshot: Snapshot | null;
  readonly fault: Diagnostic | null;
  /** What the lock must keep as it is given up. */
  readonly ending: Ending;
}

/**
 * A plan becomes calls, and everything that happens becomes events. The journal records an event first, so that a run
 * that is killed can be recovered. The last snapshot is kept, and the journal cleared after it, as the lock is given up. Call this only with a plan that was checked, under its lock.
 */
export async function apply(task: Task, lock: Lock): Promise<Applied> {
  const { plan, client, clock, run, rhythm, lineage, listener } = task;
  const { applying } = task;
  const known = task.snapshot ?? newSnapshot(lineage, plan.server);
  const taken = takenBy(known, task.project, lock.owner);
  const start = { ...taken, applying, wasRead: known.wasRead || showsReads(plan) };
  const { serial, project } = start;
  const whose = { server: plan.server, lineage: start.lineage, ...(project !== undefined && { project }) };
  const unseen = unseenCreates(plan);
  const head = { run, ...whose, serial, effect: applying.effect, ...(unseen.length > 0 && { unseen }) };
  const writeDown = makeJournal(lock.journal, head, clock, client.serverTime);
  const checkpoint = makeCheckpoint(lock, start, clock, rhythm);
  const recorder: Recorder = async (event) => {
    await writeDown(event);
    await checkpoint.record(event);
    await listener(event);
  };
  const { effect, created = [] } = applying;
  const job = {
    ...task,
    effect,
    created,
    lost: lock.lost,
    confirm: lock.confirm,
    kinds,
    service: client,
    recorder,
  };
  const { summary, fault } = await runPlan(job);
  // Another run has the lock: what this run did stays in the journal, and the next run settles it.
  if (lock.lost.aborted) return { summary, snapshot: null, fault, ending: {} };
  const isDone = summary.outcomes.done === plan.steps.filter(isWriting).length;
  const { snapshot, isOpen } = await checkpoint.finish(isDone);
  return { summary, snapshot, fault, ending: { snapshot: isOpen ? snapshot : null, isCleared: true } };
}
