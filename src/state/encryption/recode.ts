import { fault } from "../fault.js";
import { isSealed, type Kept, type Snapshot } from "../snapshot.js";
import { type StateRecording, unrecorded } from "../stateRecording.js";
import { type Lock, type Owner, StateError, type Store, type Waiting } from "../store.js";
import { walkHistory } from "../walkHistory.js";
import type { StateKey } from "./key.js";
import { recordAgain, sealedRecord } from "./record.js";
import { openSnapshot, sealSnapshot } from "./snapshot.js";
import { type Encryption, placeOf, withKeys } from "./store.js";

/**
 * Saves the state and its history once more, under its lock: encrypted with a key, or readable where that is null. Gives the snapshot
 * that it saved; null where there is none. Throws a `StateError` while a run that was cut off is not settled.
 */
export async function recode(
  store: Store<Kept>,
  encryption: Encryption,
  key: StateKey | null,
  owner: Owner,
  waiting: Waiting,
  recording: StateRecording = unrecorded,
): Promise<Snapshot | null> {
  const { keys, version } = encryption;
  const place = placeOf(store.name, encryption);
  const lock = await store.lock(owner, waiting);
  try {
    const { snapshot: kept, journal } = await store.read();
    if (journal.length > 0) throw unsettled(store.name);
    if (kept === null) return null;
    const opened = openSnapshot(kept, isSealed(kept) ? keys : [], place).snapshot;
    await resealHistory(store, encryption, key, lock, opened);
    const { snapshot, record } = recording({ ...opened, serial: opened.serial + 1 });
    const since = snapshot.serial;
    if (record !== null) void lock.append(key === null ? record : sealedRecord(record, key, place));
    await lock.save(key === null ? snapshot : sealSnapshot({ snapshot, since }, key, place, version));
    return snapshot;
  } finally {
    await lock.release();
  }
}

/**
 * Writes the records of the history again, for the key that they are read with from now on. What cannot be opened stays as
 * it is: that does not keep a state from being encrypted.
 */
async function resealHistory(
  store: Store<Kept>,
  encryption: Encryption,
  key: StateKey | null,
  lock: Lock<Kept>,
  { history: last }: Snapshot,
): Promise<void> {
  const place = placeOf(store.name, encryption);
  try {
    await walkHistory(withKeys(store, encryption), last, (record) => {
      void lock.append(recordAgain(record, key, place));
      return true;
    });
  } catch (error) {
    if (!(error instanceof StateError) || !NOT_OPENED.has(error.diagnostic.code)) throw error;
  }
}

const NOT_OPENED: ReadonlySet<string> = new Set(["state/history", "state/encrypted", "state/unverified"]);

/** A run was cut off: its journal belongs to the state as it is. */
export function unsettled(name: string): Error {
  return fault(
    "state/unsettled",
    `a run of the state (${name}) was cut off, and is not settled yet`,
    "Run `remit apply` with the key that the run had, or without one where it had none. Then run this command again.",
  );
}
