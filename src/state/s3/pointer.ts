import { isObject, parseJson } from "../../model/json.js";
import { damaged, tooNew } from "../fault.js";
import type { Owner } from "../store.js";

/**
 * The object of the address: it names the other objects and the holder of the lock. Every change of the state swaps
 * this one small object by its tag, so two runs can never change it from the same version.
 */
export interface Pointer {
  readonly formatVersion: 1;
  readonly writtenBy: string;
  /** Changes with each version, so that no two have the same tag. */
  readonly turn: number;
  /** When the store proved that it swaps. */
  readonly probed: string;
  /** The server and the bucket that proved it; a copy in another bucket is probed anew. An older version does not say. */
  readonly probedAt?: string;
  /** Null before the first save. */
  readonly snapshot: SnapshotName | null;
  /** Whether the first run found the journal of a state whose pointer was gone; older versions do not say. */
  readonly isLost?: boolean;
  /** The snapshot before it, which is kept. */
  readonly before: SnapshotName | null;
  readonly journal: BatchPlace;
  readonly lock: PointerLock | null;
  /** Whether the last holder gave its lock up, and wrote nothing later. */
  readonly isClean: boolean;
}

/** Which snapshot, and the name of the object that contains it. */
export interface SnapshotName {
  readonly lineage: string;
  readonly serial: number;
  readonly name: string;
  /** The project that it belongs to; absent where it names none. */
  readonly project?: string;
}

/** Where the lines of the journal are: in the objects `.journal/SERIAL-N` from N on. */
export interface BatchPlace {
  /** Only batches with this mark belong to this state: it is another where a state was removed and made again. */
  readonly life: string;
  readonly serial: number;
  readonly from: number;
  /** The batch after the last; right while the last holder ended cleanly. */
  readonly next: number;
}

/** Who holds the lock, under a token that no other run has. */
export interface PointerLock {
  readonly token: string;
  readonly owner: Owner;
}

/** The object that shows a user who may not list the bucket that missing batches are missing. */
export const READABLE = ".journal/readable";
export const READABLE_TEXT = "Who can read this object can read the journal.\n";

/** The name of a batch. */
export function batchName({ serial }: BatchPlace, number: number): string {
  return `.journal/${serial}-${number}`;
}

/** What the names of snapshots begin with. */
export const SNAPSHOTS = ".state/";

/** The name of the object of a snapshot: no two runs write the same. */
export function snapshotName(serial: number, token: string): string {
  return `${SNAPSHOTS}${serial}-${token}`;
}

/** The name of the object of a run record. */
export function recordName(hash: string): string {
  return `.history/${hash}`;
}

export function encodePointer(pointer: Pointer): string {
  return `${JSON.stringify(pointer, null, 2)}\n`;
}

/** Throws a `StateError` for what remit has not written. */
export function decodePointer(text: string, name: string): Pointer {
  const pointer = parseJson(text);
  if (!isObject(pointer) || typeof pointer.formatVersion !== "number")
    throw damaged(name, "the object of the address is not one that remit has written");
  if (pointer.formatVersion > 1) throw tooNew(name, String(pointer.writtenBy));
  const { turn, journal, snapshot, lock } = pointer;
  const isWhole =
    typeof turn === "number" &&
    isObject(journal) &&
    typeof journal.from === "number" &&
    typeof journal.life === "string" &&
    (snapshot === null || (isObject(snapshot) && typeof snapshot.name === "string")) &&
    (lock === null || (isObject(lock) && typeof lock.token === "string"));
  if (!isWhole)
    throw damaged(name, "a member of the object of the address is missing or not what it should be");
  return pointer as unknown as Pointer;
}
