import { say } from "../words/say.js";
import { encode } from "./codec.js";
import { lockLost } from "./fault.js";
import {
  batchName,
  decodeHead,
  encodeHead,
  type HeadLines,
  recordName,
  type StateHead,
  snapshotName,
} from "./head.js";
import { holdLease } from "./lease.js";
import { HEAD, type Objects, type Parts, Rejected, type StoreTraits, type UnderLock } from "./objects.js";
import { isMoved, type Kept } from "./snapshot.js";
import { checkSuccession, type Lock, type Owner, StateError, type Waiting } from "./store.js";
import { heldLock, type StateChange, type Writer } from "./writes.js";

/** A lock that was taken: the head has this run's token, or gets it with the first write. */
export interface TakenHead {
  readonly writing: HolderWrites;
  readonly traits: StoreTraits;
  readonly owner: Owner;
  readonly token: string;
  readonly head: StateHead;
  /** Null before the first head. */
  readonly tag: string | null;
  readonly waiting: Waiting;
}

/** So many letters of lines are kept in the head; more move to an object of their own. */
const INLINE = 64_000;

/** A change as it is written: what the head becomes, and what is put and dropped with it. */
interface Made extends Parts {
  readonly members: Partial<StateHead>;
}
const BEAT: Made = { members: {}, put: new Map(), drop: [] };

/**
 * The lock of one state. What a head names is written before it, and a swap of the head makes all of a change the kept
 * one: snapshot, lines, and whether the lock is held. What is written in between is read by no run.
 */
export function holderOf({ writing, traits, owner, token, waiting, ...taken }: TakenHead): Lock<Kept> {
  const { name, version, clock, pace, linger } = traits;
  const { own } = writing;
  let { head, tag } = taken;
  /** The head of a swap that got no answer. */
  let sent: StateHead | null = null;
  /** The last snapshot whose write got no answer: it may come again. */
  let unanswered: string | undefined;
  const inTurn = makeTurns();
  const make = makeChanges({ name, version, token });
  let began = Number.NEGATIVE_INFINITY;
  let isGivenUp = false;
  /** Whether the lock is this run's; else the first write acquires it. */
  let isHeld = own !== null || head.lock !== null;
  const lease = holdLease({
    ...{ name, clock, length: traits.lease, beat: traits.beat, renew },
    isOpen: !isHeld,
  });

  async function renew(): Promise<boolean> {
    // A sign of life takes along what waits for no one, where that waits for a write to share.
    if (own === null && linger === null) {
      await flush().catch((error) => {
        if (!lease.lost.aborted) throw error;
      });
      return !lease.lost.aborted;
    }
    if (own === null) return swap(BEAT);
    const isMine = await own.isHeld();
    if (!isMine) lease.lose(lockRemoved(name));
    return isMine;
  }

  /** Swaps the head, one swap after the other; gives whether it was still this run's. */
  function swap(made: Made): Promise<boolean> {
    return inTurn(() => swapNow(made));
  }
  async function swapNow(made: Made): Promise<boolean> {
    if (!(await settle())) return false;
    // An earlier attempt has given the lock up.
    if (isGivenUp) return true;
    const before = lease.instant();
    const lock = { token, owner };
    const next = { ...head, writtenBy: version, lock, ...made.members, turn: head.turn + 1 };
    sent = next;
    const isDone = async () => (await settle()) && head === next;
    let swapped: string | null;
    try {
      swapped = await writing.swap(tag, encodeHead(next), made);
    } catch (error) {
      // A server that answers no write may answer a read.
      if (isRefusedForNow(error) && (await isDone().catch(() => false))) return true;
      // A run that takes the lock by a write of its own hears what refuses it.
      const isFinal = error instanceof Rejected || (error instanceof StateError && error.refusal === "never");
      if (isFinal) sent = null;
      throw isFinal && !isHeld ? await refusal() : error;
    }
    // A swap that is sent twice is refused the second time.
    if (swapped === null) return isDone();
    keep(next, swapped);
    lease.renewed(before);
    return true;
  }
  function keep(kept: StateHead, now: string): void {
    [head, tag, isGivenUp, sent, isHeld] = [kept, now, kept.lock === null, null, true];
  }
  /** Finds out whether a swap without an answer took effect; gives whether no other run has swapped the head. */
  async function settle(): Promise<boolean> {
    if (sent === null) return true;
    const kept = await writing.get(HEAD);
    if (kept === null) {
      sent = null;
      return tag === null;
    }
    const isMine = kept.text === encodeHead(sent) || isSucceeded(sent, head, decodeHead(kept.text, name));
    if (!isMine && kept.tag !== tag) return false;
    if (isMine) keep(sent, kept.tag);
    sent = null;
    return true;
  }

  async function write(change: StateChange<Kept>, isLast = false): Promise<void> {
    if (lease.lost.aborted) throw lockLost(name);
    if (!(await inTurn(settle))) throw await refusal();
    const made = make(head, change, isLast, unanswered);
    try {
      await writing.prepare(made.put);
      if (!(await swap(made))) throw await refusal();
    } catch (error) {
      unanswered = made.members.snapshot?.name;
      throw error;
    }
    // What was put and is not named stays: a swap without an answer may yet name it.
    await writing.tidy(made.drop);
  }

  /** A server may refuse a write of the holder of its lock. */
  async function refusal(): Promise<StateError> {
    if (own !== null && (await own.isHeld()))
      return new StateError(say("state/refused#refusedNow", { name }), { refusal: "again" });
    const why = !isHeld ? notAcquired(name) : own === null ? lockLost(name) : lockRemoved(name);
    lease.lose(why);
    return why;
  }

  const writer: Writer<Kept> = {
    linger,
    ready() {
      if (writing.ready !== undefined) return writing.ready();
      const rest = began + pace - clock.elapsed();
      return rest > 0 ? clock.sleep(rest) : null;
    },
    write(change) {
      if (change.lines.length > 0) began = clock.elapsed();
      return write(change);
    },
    async release(change, isWhole) {
      // What acquires the lock cannot give it up.
      if (change !== null) {
        await writing.ready?.();
        await write(change, isHeld);
      }
      await lease.close();
      // A lock that cannot be given up becomes free when its lease has passed.
      if (!isGivenUp && head.lock !== null) {
        await writing.ready?.();
        const leaving = isWhole || tag === null ? undefined : writing.leave?.(tag);
        await (leaving ?? swap(FREE)).catch(() => undefined);
      }
      // A lock that looked lost may still be this run's, and no other run would ever free it.
      const isMine = own !== null && (!lease.lost.aborted || (await own.isHeld().catch(() => false)));
      if (isMine) await own.free().catch(() => undefined);
    },
    close: async () => writing.close?.(),
  };
  const { lock, flush } = heldLock({ name, owner, clock, writer, lease, waiting });
  return lock;
}

/** Makes of a change what a head becomes, and what is put and dropped with it. `unanswered` is a snapshot that may come yet. */
function makeChanges({
  name,
  version,
  token,
}: Pick<StoreTraits, "name" | "version"> & Pick<TakenHead, "token">) {
  /** The change that is written now, as each attempt writes it: a change that is written twice is the same. */
  let making: { readonly of: StateChange<Kept>; readonly isLast: boolean; readonly made: Made } | null = null;
  let batches = 0;

  function make(
    head: StateHead,
    change: StateChange<Kept>,
    isLast: boolean,
    unanswered: string | undefined,
  ): Made {
    if (making?.of === change && making.isLast === isLast) return making.made;
    const { records, snapshot, isCleared, lines } = change;
    const put = new Map(records.map(({ hash, text }) => [recordName(hash), text]));
    const drop = isCleared ? [...head.journal.batches] : [];
    let members: Partial<StateHead> = isLast ? { lock: null } : {};
    const object = snapshot === null ? null : snapshotName(snapshot.serial, token);
    const isKept = object === head.snapshot?.name && object === unanswered;
    if (snapshot !== null && object !== null && !isKept) {
      checkSuccession(name, head.snapshot, snapshot);
      const { lineage, serial } = snapshot;
      put.set(object, [...encode(snapshot, version)].join(""));
      const project =
        isMoved(snapshot) || snapshot.project === undefined ? {} : { project: snapshot.project };
      members = {
        ...members,
        snapshot: { lineage, serial, name: object, ...project },
        before: head.snapshot,
      };
      if (head.before !== null) drop.push(head.before.name);
    }
    const journal = journalWith(isCleared ? { batches: [], lines: [] } : head.journal, lines, put);
    const made = { members: { ...members, journal }, put, drop };
    making = { of: change, isLast, made };
    return made;
  }
  function journalWith(before: HeadLines, more: readonly string[], put: Map<string, string>): HeadLines {
    const lines = [...before.lines, ...more];
    if (lines.reduce((sum, { length }) => sum + length, 0) <= INLINE) return { ...before, lines };
    const batch = batchName(token, batches);
    batches += 1;
    put.set(batch, lines.map((line) => `${line}\n`).join(""));
    return { batches: [...before.batches, batch], lines: [] };
  }
  return make;
}

/** Does one work after the other. */
function makeTurns(): (work: () => Promise<boolean>) => Promise<boolean> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const working = last.then(work);
    last = working.catch(() => undefined);
    return working;
  };
}

/** Whether a swap of a head that gave the lock up took effect before another run took the lock. */
function isSucceeded(swapped: StateHead, head: StateHead, kept: StateHead): boolean {
  const mine = swapped.snapshot?.name;
  if (swapped.lock !== null || mine === undefined || mine === head.snapshot?.name) return false;
  return mine === kept.snapshot?.name || mine === kept.before?.name;
}

function isRefusedForNow(error: unknown): boolean {
  return error instanceof StateError && error.refusal === "again";
}

const FREE: Made = { ...BEAT, members: { lock: null } };

/** Another run was faster, or the store does not take the write that acquires the lock. */
function notAcquired(name: string): StateError {
  return new StateError(say("state/not-acquired", { name }), { refusal: "held" });
}

/** A person removed the lock of this run, from a store whose locks no run takes over. */
function lockRemoved(name: string): StateError {
  return new StateError(say("state/lock-lost#removed", { name }), { refusal: "held" });
}

/** How the holder of a lock writes: what a head names before it, then the head, then what no head names any more. */
interface HolderWrites extends Pick<Objects, "get" | "leave" | "ready" | "close"> {
  prepare(put: Parts["put"]): Promise<void>;
  /** Gives the new tag of the head; null where this run has the lock no longer. */
  swap(tag: string | null, head: string, parts: Parts): Promise<string | null>;
  tidy(drop: Parts["drop"]): Promise<void>;
  /** The store's own lock; null where the head is the lock. */
  readonly own: Pick<UnderLock, "isHeld" | "free"> | null;
}

/** Writes one by one, or all at one instant where the store can. */
export function writingOf(objects: Objects | UnderLock): HolderWrites {
  const own = "isHeld" in objects ? objects : null;
  const done = async () => undefined;
  const { all } = objects;
  if (all !== undefined) return { ...objects, own, prepare: done, swap: all, tidy: done };
  const { swap, put, drop } = objects as Objects;
  return {
    ...objects,
    own,
    prepare: async (parts) => void (await Promise.all([...parts].map(([name, text]) => put(name, text)))),
    swap: (tag, head) => swap(HEAD, tag, head),
    tidy: async (names) => (names.length === 0 ? undefined : drop(names).catch(() => undefined)),
  };
}
