import {
  hasMembers,
  isCount,
  isFlag,
  isListOf,
  isText,
  isTexts,
  type Members,
  orAbsent,
  orNull,
  such,
} from "../model/expectation.js";
import { isObject, parseJson } from "../model/json.js";
import { damaged } from "./fault.js";
import { checkFormat, type FORMAT, isOfRemit, NOT_OURS } from "./format.js";
import { OWNER } from "./owner.js";
import type { Owner } from "./store.js";
import { misfitOf } from "./validity.js";

/**
 * The head of a state: the one object that says which snapshot is kept, which lines the journal has, and who holds the
 * lock. Every change of the state swaps it by its tag, so no two runs change a state from the same version. A write of a
 * run that lost its lock has no effect, however late it comes.
 */
export interface StateHead {
  readonly formatVersion: typeof FORMAT;
  readonly writtenBy: string;
  /** Changes with each version, so that no two have the same text. */
  readonly turn: number;
  /** The server and the place that proved that they swap; null where the lock is the store's own. */
  readonly proved: string | null;
  /** Null before the first save. */
  readonly snapshot: SnapshotName | null;
  /** The snapshot before it, which is kept. */
  readonly before: SnapshotName | null;
  /** Whether the first run found what another head had left. */
  readonly isLost: boolean;
  readonly journal: HeadLines;
  /** Who holds the lock, under a token that no other run has. */
  readonly lock: { readonly token: string; readonly owner: Owner } | null;
}

/** Which snapshot, and the name of the object that contains it. */
export interface SnapshotName {
  readonly lineage: string;
  readonly serial: number;
  readonly name: string;
  /** The project that it belongs to; absent where it names none. */
  readonly project?: string;
}

/** The lines of a journal: in objects of that name, and the last ones in the head. */
export interface HeadLines {
  readonly batches: readonly string[];
  readonly lines: readonly string[];
}

/** The object that stays where a head is removed, and shows that a state was here. */
export const MARK = ".journal/readable";
export const MARK_TEXT = "Who can read this object can read the journal.\n";

/** What the names of snapshots begin with. */
export const SNAPSHOTS = ".state/";
/** What the names of records begin with. */
export const RECORDS = ".history/";

/** The name of a part of the journal: no two runs write the same. */
export function batchName(token: string, number: number): string {
  return `.journal/${token}-${number}`;
}

/** The name of a snapshot: no two runs write the same. */
export function snapshotName(serial: number, token: string): string {
  return `${SNAPSHOTS}${serial}-${token}`;
}

/** The name of a record: the hash of what it says. */
export function recordName(hash: string): string {
  return `${RECORDS}${hash}`;
}

export function encodeHead(head: StateHead): string {
  return `${JSON.stringify(head, null, 1)}\n`;
}

/** The next version of a head, whose lock no run holds. */
export function freed(head: StateHead, version: string): StateHead {
  return { ...head, writtenBy: version, turn: head.turn + 1, lock: null };
}

/** Throws a `StateError` for what remit has not written, and for another format. */
export function decodeHead(text: string, name: string): StateHead {
  const head = parseJson(text);
  if (!isObject(head) || !isOfRemit(head)) throw damaged(name, NOT_OURS);
  checkFormat(head, name, misfitOf(head, MEMBERS));
  return head as unknown as StateHead;
}

/** A store appends a name to its own place: any other name could lead to another state there. */
const isNameLike = (form: RegExp) => such((value) => typeof value === "string" && form.test(value));

const isSnapshotName = hasMembers({
  lineage: isText,
  serial: isCount,
  name: isNameLike(/^\.state\/\d+-[\w-]+$/),
  project: orAbsent(isText),
});
const MEMBERS: Members = {
  writtenBy: isText,
  turn: isCount,
  proved: orNull(isText),
  snapshot: orNull(isSnapshotName),
  before: orNull(isSnapshotName),
  isLost: isFlag,
  journal: hasMembers({ batches: isListOf(isNameLike(/^\.journal\/[\w-]+-\d+$/)), lines: isTexts }),
  lock: orNull(hasMembers({ token: isText, owner: hasMembers(OWNER) })),
};
