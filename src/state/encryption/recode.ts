import { say } from "../../words/say.js";
import { withNewKey } from "../record.js";
import { isSealed, type Kept, type Snapshot } from "../snapshot.js";
import { type StateRecording, unrecorded } from "../stateRecording.js";
import type { Owner, Store, Waiting } from "../store.js";
import { StateError } from "../store.js";
import type { StateKey } from "./key.js";
import { sealedRecord } from "./record.js";
import { openSnapshot, sealSnapshot } from "./snapshot.js";
import { type Encryption, placeOf } from "./store.js";

/**
 * Saves the state once more, under its lock: encrypted with a key, or readable where that is null. Gives the snapshot
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
    if (journal.length > 0) throw new StateError(say("state/unsettled", { name: store.name }));
    if (kept === null) return null;
    const opened = openSnapshot(kept, isSealed(kept) ? keys : [], place).snapshot;
    // The old key and an old copy of the state open no record from now on.
    const renewed = opened.history === undefined ? {} : { history: withNewKey(opened.history) };
    const { snapshot, record } = recording({ ...opened, ...renewed, serial: opened.serial + 1 });
    const since = snapshot.serial;
    if (record !== null) void lock.append(key === null ? record : sealedRecord(record));
    await lock.save(key === null ? snapshot : sealSnapshot({ snapshot, since }, key, place, version));
    return snapshot;
  } finally {
    await lock.release();
  }
}
