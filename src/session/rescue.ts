import { bringIn, type Rescue, type Rescued } from "../apply/rescue.js";
import { fault } from "../state/fault.js";
import type { Snapshot } from "../state/snapshot.js";
import type { Lock, Owner, Store } from "../state/store.js";
import { withRescued } from "./history.js";

/**
 * Brings answers into a state that a run could not write there. Throws a `StateError` for a rescue of another state, and
 * where the store does not take it.
 */
export async function rescue(
  file: Rescue,
  store: Store,
  owner: Owner,
  timeout: number,
): Promise<Pick<Rescued, "brought" | "left">> {
  const lock = await store.lock(owner, { timeout });
  try {
    const { snapshot, journal } = await store.read();
    if (snapshot !== null && snapshot.lineage !== file.lineage) throw ofAnother(store.name);
    const found = bringIn(file, snapshot, journal);
    for (const line of found.lines) lock.journal.note(line);
    const next = await recordedIn(file, found, snapshot, lock, store);
    const error = await lock.release({ snapshot: next });
    if (error !== null) throw error;
    return found;
  } finally {
    await lock.release();
  }
}

/** What is saved: with the record of the run, at the end of the history. */
async function recordedIn(
  { record }: Rescue,
  found: Rescued,
  kept: Snapshot | null,
  lock: Lock,
  store: Store,
): Promise<Snapshot | null> {
  const last = found.snapshot ?? kept;
  if (record === null || last === null) return found.snapshot;
  const next = await withRescued(last, record, lock, store);
  if (next === last) return found.snapshot;
  return found.snapshot === null ? { ...next, serial: next.serial + 1 } : next;
}

function ofAnother(name: string): Error {
  const hint = "Name the state that the run wrote to in --state. Nothing was changed.";
  return fault("state/rescue", `the rescue file belongs to another state than ${name}`, hint);
}
