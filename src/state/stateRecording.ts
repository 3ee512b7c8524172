import type { KeptRecord } from "./record.js";
import type { Snapshot } from "./snapshot.js";

/** Puts the record of a command at the end of the history of what it saves; no record where the store keeps none. */
export type StateRecording = (snapshot: Snapshot) => RecordedSave;

/** What a command saves, and its record. */
interface RecordedSave {
  readonly snapshot: Snapshot;
  /** Null where there is none. */
  readonly record: KeptRecord | null;
}

/** Records nothing: for what changes no state of a project. */
export const unrecorded: StateRecording = (snapshot) => ({ snapshot, record: null });
