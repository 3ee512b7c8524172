import type { StateChange } from "./change.js";
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
import { HEAD, type Objects, type Parts, type StoreTraits } from "./objects.js";
import { isMoved, type Kept } from "./snapshot.js";
import type { Lock, Owner, StateError, Waiting } from "./store.js";
import { checkSuccession } from "./succession.js";
import { heldLock, type Writer } from "./writes.js";

/** A lock that was taken: the head has this run's token. */
export interface TakenHead {
  readonly objects: Objects;
  readonly traits: StoreTraits;
  readonly owner: Owner;
  readonly token: string;
  readonly head: StateHead;
  readonly tag: string;
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
export function holderOf({ objects, traits, owner, token, waiting, ...taken }: TakenHead): Lock<Kept> {
  const { name, version, clock, pace, linger } = traits;
  let { head, tag } = taken;
  /** A swap of the head that got no answer. */
  let sent: { readonly made: Made; readonly head: StateHead } | null = null;
  /** The last change that the head has. */
  let done: Made | null = null;
  /** The last snapshot whose write got no answer: it may come again. */
  let unanswered: string | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let began = Number.NEGATIVE_INFINITY;
  let batches = 0;
  const renew = () => swap(BEAT);
  const lease = holdLease({ name, clock, length: traits.lease, beat: traits.beat, renew });

  /** Swaps the head, one swap after the other; gives whether it was still this run's. */
  function swap(made: Made): Promise<boolean> {
    return inTurn(() => swapNow(made));
  }
  function inTurn(work: () => Promise<boolean>): Promise<boolean> {
    const working = last.then(work);
    last = working.catch(() => undefined);
    return working;
  }
  async function swapNow(made: Made): Promise<boolean> {
    if (!(await settle())) return false;
    // An earlier attempt had its effect, or has given the lock up.
    if (done === made || head.lock === null) return true;
    const before = lease.instant();
    const next = { ...head, writtenBy: version, ...made.members, turn: head.turn + 1 };
    sent = { made, head: next };
    const swapped = await commit(made, encodeHead(next));
    // A swap that is sent twice is refused the second time.
    if (swapped === null) return (await settle()) && head === next;
    keep(sent, swapped);
    sent = null;
    lease.renewed(before);
    return true;
  }
  function keep({ made, head: kept }: { readonly made: Made; readonly head: StateHead }, now: string): void {
    [head, tag] = [kept, now];
    if (made !== BEAT) done = made;
  }
  async function commit({ put, drop }: Made, text: string): Promise<string | null> {
    return objects.all === undefined ? objects.swap(HEAD, tag, text) : objects.all(tag, text, { put, drop });
  }
  /** Finds out whether a swap without an answer took effect; gives whether no other run has swapped the head. */
  async function settle(): Promise<boolean> {
    if (sent === null) return true;
    const kept = await objects.get(HEAD);
    if (kept === null) return false;
    const isMine = kept.text === encodeHead(sent.head) || isSucceeded(sent.head, decodeHead(kept.text, name));
    if (!isMine && kept.tag !== tag) return false;
    if (isMine) keep(sent, kept.tag);
    sent = null;
    return true;
  }
  /** Whether a swap that gave the lock up took effect before another run took the lock. */
  function isSucceeded(swapped: StateHead, kept: StateHead): boolean {
    const mine = swapped.snapshot?.name;
    if (swapped.lock !== null || mine === undefined || mine === head.snapshot?.name) return false;
    return mine === kept.snapshot?.name || mine === kept.before?.name;
  }

  /** The change that is written now, as each attempt writes it. */
  let making: { readonly of: StateChange<Kept>; readonly isLast: boolean; readonly made: Made } | null = null;
  function make(change: StateChange<Kept>, isLast: boolean): Made {
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

  async function write(change: StateChange<Kept>, isLast = false): Promise<void> {
    if (lease.lost.aborted) throw lockLost(name);
    if (!(await inTurn(settle))) throw lose();
    const made = make(change, isLast);
    try {
      if (objects.all === undefined)
        await Promise.all([...made.put].map(([part, text]) => objects.put(part, text)));
      if (!(await swap(made))) throw lose();
    } catch (error) {
      unanswered = made.members.snapshot?.name;
      throw error;
    }
    // What was put and is not named stays: a swap without an answer may yet name it.
    if (objects.all === undefined && made.drop.length > 0)
      await objects.drop(made.drop).catch(() => undefined);
  }

  function lose(): StateError {
    lease.lose();
    return lockLost(name);
  }

  const writer: Writer<Kept> = {
    isAtomic: true,
    linger,
    ready() {
      const rest = began + pace - clock.elapsed();
      return rest > 0 ? clock.sleep(rest) : null;
    },
    write(change) {
      began = clock.elapsed();
      return write(change);
    },
    async release(change) {
      if (change !== null) await write(change, true);
      await lease.close();
      // A lock that cannot be given up becomes free when its lease has passed.
      if (head.lock !== null) await swap(FREE).catch(() => false);
    },
    close: async () => objects.close?.(),
  };
  return heldLock({ name, owner, clock, writer, lease, waiting }).lock;
}

const FREE: Made = { ...BEAT, members: { lock: null } };
