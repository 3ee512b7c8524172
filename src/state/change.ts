import type { KeptRecord } from "./record.js";
import type { Version } from "./snapshot.js";

/** What one write changes, in this order. */
export interface StateChange<Kept extends Version> {
  /** Records of the history to keep. */
  readonly records: readonly KeptRecord[];
  /** The snapshot to keep; null where it stays as it is. */
  readonly snapshot: Kept | null;
  /** Whether every line of the journal so far is removed. */
  readonly isCleared: boolean;
  /** Lines to add to the journal. */
  readonly lines: readonly string[];
}

/** A change of nothing. */
export const NOTHING: StateChange<never> = { records: [], snapshot: null, isCleared: false, lines: [] };

/** Whether a change changes nothing. */
export function isNothing({ records, snapshot, isCleared, lines }: StateChange<Version>): boolean {
  return records.length === 0 && snapshot === null && !isCleared && lines.length === 0;
}

/** The parts of a change, each alone. Lines that come after a clear must not be removed by it. */
export function partsOf<Kept extends Version>({
  records,
  snapshot,
  isCleared,
  lines,
}: StateChange<Kept>): readonly StateChange<Kept>[] {
  const add = lines.length === 0 ? [] : [{ ...NOTHING, lines }];
  const replace = [
    ...(snapshot === null ? [] : [{ ...NOTHING, snapshot }]),
    ...(isCleared ? [{ ...NOTHING, isCleared }] : []),
  ];
  const first = records.length === 0 ? [] : [{ ...NOTHING, records }];
  return isCleared ? [...first, ...replace, ...add] : [...first, ...add, ...replace];
}
