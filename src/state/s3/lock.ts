import type { Clock } from "../../model/clock.js";
import { encode } from "../codec.js";
import { lockLost } from "../fault.js";
import { holdLease } from "../lease.js";
import { isMoved, type Kept } from "../snapshot.js";
import { type Lock, type Owner, StateError, type Waiting } from "../store.js";
import { checkSuccession } from "../succession.js";
import { heldLock, partByPart, type Writer } from "../writes.js";
import type { Bucket } from "./bucket.js";
import { writeBatch } from "./log.js";
import { batchName, encodePointer, type Pointer, snapshotName } from "./pointer.js";

/** Milliseconds after which the lock of a silent holder may be taken over. */
export const LEASE = 30_000;
/** Milliseconds between two renewals of a quiet holder. */
const BEAT = 5_000;
/** So many objects are removed at once. */
const WIDTH = 8;

/** A lock that was taken: the pointer has this run's token. */
export interface Taken {
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
  readonly waiting: Waiting;
}

/** The lock of one state. Its changes of the pointer go one after the other, each from the version before. */
export function lockOf(taken: Taken): Lock<Kept> {
  const { bucket, owner, token, name, version, clock, fences, waiting } = taken;
  let { pointer, tag, next } = taken;
  /** Whether every write so far was answered: nothing of this run can come later. */
  let isSure = true;
  /** A change of the pointer that got no answer. */
  let pending: Pointer | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const lease = holdLease({ name, clock, length: LEASE, beat: BEAT, renew: () => change({}) });

  /** Gives whether the pointer was still this run's. */
  function change(members: Partial<Pointer>): Promise<boolean> {
    const changing = last.then(async () => {
      if (pending !== null && !(await isSettled(pending))) return false;
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
    if (kept.text === encodePointer(change)) [pointer, tag] = [change, kept.tag];
    return kept.tag === tag;
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
  function checkHeld(): void {
    if (lease.lost.aborted) throw lockLost(name);
  }

  const write = partByPart<Kept>({
    async save(snapshot) {
      checkHeld();
      const { lineage, serial } = snapshot;
      const object = snapshotName(serial, token);
      const { before, snapshot: kept } = pointer;
      // The answer to an earlier attempt was lost.
      if (kept?.name === object) return;
      checkSuccession(name, kept, snapshot);
      await bucket.create(object, [...encode(snapshot, version)].join(""));
      const project =
        isMoved(snapshot) || snapshot.project === undefined ? {} : { project: snapshot.project };
      await changeMine({ snapshot: { lineage, serial, name: object, ...project }, before: kept }).catch(
        async (error) => {
          // A change without an answer may have made the object the kept one.
          if (error instanceof StateError && error.refusal !== "again")
            await bucket.remove(object).catch(() => undefined);
          throw error;
        },
      );
      if (before !== null) await bucket.remove(before.name).catch(() => undefined);
    },
    async clear() {
      checkHeld();
      const { journal, snapshot } = pointer;
      const numbers = Array.from({ length: next - journal.from }, (_, at) => journal.from + at);
      const names = numbers.filter((one) => !fences.includes(one)).map((one) => batchName(journal, one));
      // The numbers go on: a late batch of an earlier holder meets no place that is free again.
      await changeMine({ journal: { ...journal, serial: snapshot?.serial ?? 0, from: next, next } });
      await removeAll(names);
    },
    async append(lines) {
      checkHeld();
      if (!(await sure(writeBatch(bucket, pointer.journal, next, token, lines)))) {
        lease.lose();
        throw lockLost(name);
      }
      next += 1;
    },
  });
  const writer: Writer<Kept> = {
    isAtomic: false,
    // Every object is durable.
    isEager: false,
    ready: () => null,
    write,
    async release() {
      await lease.close();
      const journal = { ...pointer.journal, next };
      // A lock that cannot be given up becomes free when its lease has passed.
      await change({ lock: null, isClean: isSure && pending === null, journal }).catch(() => false);
    },
    close: async () => undefined,
  };
  return heldLock({ name, owner, clock, writer, lease, waiting }).lock;

  /** What is not removed is read by no run. */
  async function removeAll(names: readonly string[]): Promise<void> {
    for (let at = 0; at < names.length; at += WIDTH)
      await Promise.all(names.slice(at, at + WIDTH).map((one) => bucket.remove(one).catch(() => undefined)));
  }
}
