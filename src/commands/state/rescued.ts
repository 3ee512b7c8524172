import { type CommandRun, type EndedRun, recordedCommand, withRescued } from "../../apply/history.js";
import { bringIn, type Rescue, type Rescued } from "../../apply/rescue.js";
import type { Address } from "../../model/address.js";
import type { Snapshot } from "../../state/snapshot.js";
import { type Lock, StateError, type Store } from "../../state/store.js";
import { say } from "../../words/say.js";

/**
 * Brings answers into a state that a run could not write there. Throws a `StateError` for a rescue of another state, and
 * where the store does not take it.
 */
export async function rescue(
  file: Rescue,
  store: Store,
  command: CommandRun,
  timeout: number,
): Promise<Pick<Rescued, "brought" | "left">> {
  const lock = await store.lock(command.owner, { timeout });
  try {
    const { snapshot, journal } = await store.read();
    if (snapshot !== null && snapshot.lineage !== file.lineage)
      throw new StateError(say("state/rescue#ofAnother", { name: store.name }));
    const found = bringIn(file, snapshot, journal);
    for (const line of found.lines) lock.journal.note(line);
    const next = await recordedIn(file, found, snapshot, lock, { store, command });
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
  { store, command }: { readonly store: Store; readonly command: CommandRun },
): Promise<Snapshot | null> {
  const last = found.snapshot ?? kept;
  if (last === null || store.history === null) return found.snapshot;
  const placed = record === null ? last : await withRescued(last, record, lock, store);
  if (placed === last && found.brought.length === 0) return found.snapshot;
  const next = found.snapshot === null ? { ...placed, serial: placed.serial + 1 } : placed;
  const own = recordedCommand(store, command, found.brought.map(rescued))(next);
  if (own.record !== null) void lock.append(own.record);
  return own.snapshot;
}

/** An object whose answer is in the state now: what it was before and is now, the record of its run says. */
function rescued(address: Address): EndedRun["steps"][number] {
  const values = { before: "unknown", after: "unknown", fields: [] } as const;
  return { address, key: null, action: "rescue", outcome: "done", requests: [], ...values };
}
