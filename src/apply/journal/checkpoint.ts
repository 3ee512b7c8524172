import type { Clock } from "../../model/clock.js";
import type { Snapshot } from "../../state/snapshot.js";
import { type Lock, type Rhythm, StateError } from "../../state/store.js";
import type { Recorder } from "../event.js";
import { openSnapshot } from "./openSnapshot.js";

/** A checkpoint may take one part in so many of the time. */
const SHARE = 50;

/** The snapshot of a run that has ended, and whether it must still be kept. */
interface LastSnapshot {
  readonly snapshot: Snapshot;
  readonly isOpen: boolean;
}

/** Keeps the state up to date while an apply runs. */
interface Checkpoint {
  /** Takes up how steps end, and keeps the snapshot now and then. */
  readonly record: Recorder;
  /**
   * The snapshot at the end; `isOpen` says that it is not kept yet. With `isComplete`, every step of the plan is done.
   */
  readonly finish: (isComplete?: boolean) => Promise<LastSnapshot>;
}

/**
 * Checkpoints cost a bounded share of the time however large the state is; what happened since the last one is in the
 * journal, which only `finish` makes needless.
 */
export function makeCheckpoint(
  lock: Pick<Lock, "save">,
  start: Snapshot,
  clock: Clock,
  { saves }: Pick<Rhythm, "saves">,
): Checkpoint {
  const opened = openSnapshot(start);
  let kept = start;
  let isChanged = false;
  let due = clock.elapsed() + saves;
  let keeping: Promise<void> | null = null;

  async function keep(): Promise<void> {
    const began = clock.elapsed();
    const next = opened.snapshot(kept.serial + 1);
    isChanged = false;
    try {
      await lock.save(next);
      kept = next;
    } catch (error) {
      // What may be accepted later is written before anything else: the next snapshot follows it.
      if (error instanceof StateError && error.refusal === "again") kept = next;
      isChanged = true;
      throw error;
    } finally {
      const now = clock.elapsed();
      due = now + Math.max(saves, (now - began) * SHARE);
      keeping = null;
    }
  }

  return {
    async record(event) {
      if (event.type !== "step finished") return;
      if (opened.remember(event, timestamp(clock))) isChanged = true;
      if (!isChanged || keeping !== null || clock.elapsed() < due) return;
      keeping = keep();
      await keeping;
    },
    async finish(isComplete = false) {
      // A failed one was reported when it failed; what it left is in the last one.
      await keeping?.catch(() => undefined);
      if (isComplete) opened.complete();
      const isOpen = isChanged || (isComplete && start.applying?.isComplete === false);
      return { snapshot: isOpen ? opened.snapshot(kept.serial + 1) : kept, isOpen };
    },
  };
}

/** The wall's time as states and journals write it. */
export function timestamp(clock: Pick<Clock, "now">): string {
  return new Date(clock.now()).toISOString();
}
