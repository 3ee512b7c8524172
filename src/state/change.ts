import type { KeptRecord } from "./record.js";
import type { Version } from "./snapshot.js";

/** What one write changes, in this order. */
export interface StateChange<Kept extends Version> {
  /** Records of the history to keep. */
  readonly records: readonly KeptRecord[];
  /** The snapshot to keep; null where it stays as it is. */
  readonly snapshot: Kept | null;
  /** The snapshot to keep instead where the records are never accepted; null where then nothing is kept. */
  readonly without: Kept | null;
  /** Whether every line of the journal so far is removed. */
  readonly isCleared: boolean;
  /** Lines to add to the journal. */
  readonly lines: readonly string[];
}

/** A change of nothing. */
export const NOTHING: StateChange<never> = {
  records: [],
  snapshot: null,
  without: null,
  isCleared: false,
  lines: [],
};

/** Whether a change changes nothing. */
export function isNothing(change: Omit<StateChange<Version>, "without">): boolean {
  const { records, snapshot, isCleared, lines } = change;
  return records.length === 0 && snapshot === null && !isCleared && lines.length === 0;
}

/** A change that leaves out what a store never accepts: its records; null where it has none, or means nothing without them. */
export function withoutRecords<Kept extends Version>(change: StateChange<Kept>): StateChange<Kept> | null {
  const { records, without } = change;
  return records.length === 0 || without === null
    ? null
    : { ...change, records: [], snapshot: without, without: null };
}
