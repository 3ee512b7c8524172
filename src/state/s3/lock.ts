import type { Clock } from "../../model/clock.js";
import type { StateChange } from "../change.js";
import { encode } from "../codec.js";
import { lockLost } from "../fault.js";
import { holdLease } from "../lease.js";
import { isMoved, type Kept } from "../snapshot.js";
import { type Lock, type Owner, StateError, type Waiting } from "../store.js";
import { checkSuccession } from "../succession.js";
import { heldLock, type Writer } from "../writes.js";
import type { Bucket } from "./bucket.js";
import { writeBatch } from "./log.js";
import {
  batchName,
  decodePointer,
  encodePointer,
  type Pointer,
  recordName,
  snapshotName,
} from "./pointer.js";

/** Milliseconds after which the lock of a silent holder may be taken over. */
export const LEASE = 30_000;
/** Milliseconds between two renewals of a quiet holder. */
const BEAT = 5_000;
/** A lock that was taken: the pointer has this run's token. */
export interface TakenPointer {
  readonly bucket: Bucket;
  readonly owner: Owner;
  readonly token: string;
  /** The store, as messages name it. */
  readonly name: string;
  readonly version: string;
  readonly clock: Clock;
  readonly pointer: Pointer;
  readonly tag: string;
  /** The number of the next batch. */
  readonly next: number;
  /** The batches that stay where they are. */
  readonly fences: readonly number[];
  /** The least milliseconds from one write to the next. */
  readonly pace: number;
  readonly waiting: Waiting;
}

/** The lock of one state. Its changes of the pointer go one after the other, each from the version before. */
export function lockOf(taken: TakenPointer): Lock<Kept> {
  const { bucket, owner, token, name, version, clock, fences, pace, waiting } = taken;
  let { pointer, tag, next } = taken;
  /** Whether every write so far was answered: nothing of this run can come later. */
  let isSure = true;
  /** A change of the pointer that got no answer. */
  let pending: Pointer | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let began = Number.NEGATIVE_INFINITY;
  const lease = holdLease({ name, clock, length: LEASE, beat: BEAT, renew: () => change({}) });

  /** Gives whether the pointer was still this run's. */
  function change(members: Partial<Pointer>): Promise<boolean> {
    const changing = last.then(async () => {
      if (pending !== null && !(await isSettled(pending))) return false;
      // An earlier attempt has given the lock up.
      if (pointer.lock === null) return true;
      pending = { ...pointer, writtenBy: version, ...members, turn: pointer.turn + 1 };
      const changed = await bucket.swap("", tag, encodePointer(pending));
      if (changed !== null) [pointer, tag] = [pending, changed];
      pending = null;
      return changed !== null;
    });
    last = changing.catch(() => undefined);
    return changing;
  }
  /** Finds out whether a change took effect; gives whether no other run has changed the pointer. */
  async function isSettled(change: Pointer): Promise<boolean> {
    const kept = await bucket.get("");
    if (kept === null || kept === "hidden") return false;
    if (kept.text === encodePointer(change)) [pointer, tag, pending] = [change, kept.tag, null];
    return kept.tag === tag || isSucceeded(change, decodePointer(kept.text, name));
  }
  /** Whether a change that gave the lock up took effect before another run took the lock. */
  function isSucceeded(change: Pointer, kept: Pointer): boolean {
    const mine = change.snapshot?.name;
    if (change.lock !== null || mine === undefined || mine === pointer.snapshot?.name) return false;
    if (mine !== kept.snapshot?.name && mine !== kept.before?.name) return false;
    [pointer, pending] = [change, null];
    return true;
  }
  async function changeMine(members: Partial<Pointer>): Promise<void> {
    if (await sure(change(members))) return;
    lease.lose();
    throw lockLost(name);
  }
  function sure<T>(writing: Promise<T>): Promise<T> {
    return writing.catch((error) => {
      isSure = false;
      throw error;
    });
  }
  /** The lines that were written last: a change that is repeated may have had them written. */
  let written: readonly string[] = [];
  async function append(lines: readonly string[]): Promise<void> {
    if (lines.length === 0 || lines === written) return;
    if (!(await sure(writeBatch(bucket, pointer.journal, next, token, lines)))) {
      lease.lose();
      throw lockLost(name);
    }
    next += 1;
    written = lines;
  }
  /** Makes the object of a snapshot; gives how the pointer names it. */
  async function place(snapshot: Kept): Promise<Pick<Pointer, "snapshot" | "before">> {
    const { lineage, serial } = snapshot;
    const object = snapshotName(serial, token);
    const { before, snapshot: kept } = pointer;
    // The answer to an earlier attempt was lost.
    if (kept?.name === object) return { snapshot: kept, before };
    checkSuccession(name, kept, snapshot);
    await bucket.create(object, [...encode(snapshot, version)].join(""));
    const project = isMoved(snapshot) || snapshot.project === undefined ? {} : { project: snapshot.project };
    return { snapshot: { lineage, serial, name: object, ...project }, before: kept };
  }

  /**
   * Lines are durable before the snapshot that has them, and a single swap of the pointer makes that the kept one,
   * removes the lines, and gives the lock up. What is written in between is read by no run.
   */
  async function write(
    { records, snapshot, isCleared, lines }: StateChange<Kept>,
    isLast = false,
  ): Promise<void> {
    if (lease.lost.aborted) throw lockLost(name);
    // No record replaces another: the name is the hash of what it says.
    for (const { hash, text } of records) await sure(bucket.create(recordName(hash), text));
    if (!isCleared) await append(lines);
    if (snapshot === null && !isCleared && !isLast) return lines.length === 0 ? changeMine({}) : undefined;
    const old = pointer;
    const placed: Partial<Pick<Pointer, "snapshot" | "before">> =
      snapshot === null ? {} : await place(snapshot);
    const from = isCleared ? { serial: (placed.snapshot ?? old.snapshot)?.serial ?? 0, from: next } : {};
    const journal = isCleared || isLast ? { journal: { ...old.journal, ...from, next } } : {};
    const end = isLast ? { lock: null, isClean: isSure && pending === null } : {};
    await changeMine({ ...placed, ...journal, ...end }).catch(async (error) => {
      // A change without an answer may have made the object the kept one.
      if (placed.snapshot && error instanceof StateError && error.refusal !== "again")
        await bucket.remove(placed.snapshot.name).catch(() => undefined);
      throw error;
    });
    const isReplaced = placed.snapshot && placed.snapshot.name !== old.snapshot?.name;
    const count = isCleared ? next - old.journal.from : 0;
    const numbers = Array.from({ length: count }, (_, at) => old.journal.from + at);
    const batches = numbers.filter((one) => !fences.includes(one)).map((one) => batchName(old.journal, one));
    // What is not removed is read by no run. The numbers go on: a late batch meets no place that is free again.
    await bucket.removeAll([...(isReplaced && old.before ? [old.before.name] : []), ...batches]);
    if (isCleared) await append(lines);
  }

  const writer: Writer<Kept> = {
    isAtomic: true,
    // Every object is durable.
    linger: null,
    ready() {
      const rest = began + pace - clock.elapsed();
      return rest > 0 ? clock.sleep(rest) : null;
    },
    write(change) {
      began = clock.elapsed();
      return write(change);
    },
    async release(last) {
      const isOne = last !== null && !(last.isCleared && last.lines.length > 0);
      if (last !== null) await write(last, isOne);
      await lease.close();
      if (isOne) return;
      const journal = { ...pointer.journal, next };
      // A lock that cannot be given up becomes free when its lease has passed.
      await change({ lock: null, isClean: isSure && pending === null, journal }).catch(() => false);
    },
    close: async () => undefined,
  };
  return heldLock({ name, owner, clock, writer, lease, waiting }).lock;
}
