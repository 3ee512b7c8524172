import type { Clock } from "../model/clock.js";
import { lockLost } from "./fault.js";
import type { Lease } from "./lease.js";
import type { KeptRecord } from "./record.js";
import type { Version } from "./snapshot.js";
import { type Lock, type Owner, StateError, type Waiting } from "./store.js";

/** Repeats what a store refuses for now. */
interface Attempts {
  /** Does work until the store takes it, or its time is up: then it throws what the store said last. */
  keepTrying<T>(work: () => Promise<T>): Promise<T>;
  /** Something to be written came: the time counts from now. */
  refresh(): void;
}

/** Milliseconds between two attempts: each pause is twice as long as the one before. */
const PAUSE = { first: 500, longest: 10_000 };

/** How one store writes for the holder of its lock: `heldLock` makes the lock of it. */
export interface Writer<Kept extends Version> {
  /** For so many milliseconds a line that no one waits for may wait for a write to share; null for as long as it takes. */
  readonly linger: number | null;
  /** Resolves when the next write may begin: what comes until then goes with it. Null where that is now. */
  readonly ready: () => Promise<void> | null;
  /**
   * Writes a change, one at a time. After a `StateError` with the refusal `again` it is given the same value again before
   * any other: an attempt that took effect without an answer must not take effect twice. A change of nothing is a sign
   * of life.
   */
  readonly write: (change: StateChange<Kept>, isDurable: boolean) => Promise<void>;
  /**
   * Writes a last change, then closes the lease and gives the lock up. Throws only where the change could not be written.
   * It is null where nothing is left. `isWhole` says whether all that came is written with it; else the store may show the
   * next run that something is missing.
   */
  readonly release: (last: StateChange<Kept> | null, isWhole: boolean) => Promise<void>;
  /** Closes what it has open; it is not called again after that. */
  readonly close: () => Promise<void>;
}

/** A lock that was just taken, and how it is written under. */
interface TakenLock<Kept extends Version> {
  /** The store, as messages name it. */
  readonly name: string;
  readonly owner: Owner;
  readonly clock: Clock;
  readonly writer: Writer<Kept>;
  readonly lease: Pick<Lease, "lost" | "confirm" | "close">;
  readonly waiting: Waiting;
}

/** A lock, and a sign of life that takes its turn among the writes. */
interface HeldLock<Kept extends Version> {
  readonly lock: Lock<Kept>;
  readonly flush: () => Promise<void>;
}

/**
 * The lock of a store. Writes are made one after the other, and what comes during one shares the next. A write that
 * was refused, and may be accepted later, stays first in line and is repeated for as long as the waiting says.
 */
export function heldLock<Kept extends Version>(holding: TakenLock<Kept>): HeldLock<Kept> {
  const { name, owner, clock, writer, lease } = holding;
  let waiters: Waiter[] = [];
  let writing: Promise<void> | null = null;
  /** Whether a pause passes before lines that no one waits for are written, and whether it has passed. */
  let isLingering = false;
  let isDue = false;
  let isReleasing = false;
  let isReleased = false;
  /** Why nothing is written any more. */
  let end: { readonly error: unknown } | null = null;
  const attempts = makeAttempts(holding);
  const backlog = makeBacklog(writer, attempts);

  function check(): void {
    if (end !== null) throw end.error;
    lease.lost.throwIfAborted();
    if (isReleased) throw lockLost(name);
  }

  function flush(): Promise<void> {
    // What gives the lock up is a sign of life, too.
    if (isReleasing && writing === null) return Promise.resolve();
    const flushed = new Promise<void>((done, failed) => waiters.push({ done, failed }));
    start();
    return flushed;
  }
  /** Writes lines that no one waits for, once they have waited; one pause serves all that come during it. */
  function linger(): void {
    if (writer.linger === null || isLingering) return;
    isLingering = true;
    const pause = writer.linger === 0 ? Promise.resolve() : clock.sleep(writer.linger);
    void pause.then(() => {
      [isLingering, isDue] = [false, true];
      if (!isReleasing) start();
    });
  }
  /** What waits is taken in a later turn, so that all who write in this turn share it. */
  function start(): void {
    writing ??= Promise.resolve().then(writeAll);
  }
  async function writeAll(): Promise<void> {
    let isStuck = false;
    while (waiters.length > 0 || (isDue && !isStuck && backlog.hasLines())) {
      let mine: typeof waiters = [];
      try {
        const ready = end === null ? writer.ready() : null;
        if (ready !== null) await ready;
        [mine, waiters] = [waiters, []];
        check();
        backlog.take(mine.length > 0);
        isDue = false;
        await backlog.write();
        for (const { done } of mine) done();
      } catch (error) {
        if (!(error instanceof StateError) || error.refusal === "held") end ??= { error };
        isStuck = true;
        for (const { failed } of mine) failed(error);
      }
    }
    writing = null;
  }

  /** Writes what is left, and gives the lock up; gives why something could not be written. */
  async function giveUp(): Promise<unknown> {
    if (lease.lost.aborted || end !== null) {
      const isWhole = backlog.isEmpty();
      if (!lease.lost.aborted) await writer.release(null, isWhole).catch(() => undefined);
      return isWhole ? null : (end?.error ?? lease.lost.reason);
    }
    try {
      await backlog.release();
      return null;
    } catch (error) {
      await writer.release(null, false).catch(() => undefined);
      return error;
    }
  }

  const lock: Lock<Kept> = {
    owner,
    lost: lease.lost,
    confirm: () => attempts.keepTrying(lease.confirm),
    async save(snapshot, isCleared = false) {
      check();
      backlog.add({ snapshot, isCleared });
      await flush();
    },
    append(record, without = null) {
      check();
      backlog.add({ records: [record], without });
      return backlog.kept(record);
    },
    journal: {
      async append(line) {
        check();
        backlog.add({ lines: [line] });
        await flush();
      },
      note(line) {
        backlog.add({ lines: [line] });
        linger();
      },
      async clear() {
        check();
        backlog.add({ isCleared: true });
        await flush();
      },
    },
    async release(last = {}) {
      if (isReleasing) return null;
      isReleasing = true;
      backlog.add(last);
      while (writing !== null) await writing;
      const error = await giveUp();
      isReleased = true;
      await lease.close();
      await writer.close();
      if (error === null || error instanceof StateError) return error;
      throw error;
    },
  };
  return { lock, flush };
}

/** What came and is not written yet, in order, and who waits for a record of it. */
function makeBacklog<Kept extends Version>(writer: Writer<Kept>, { keepTrying, refresh }: Attempts) {
  let next: StateChange<Kept> = NOTHING;
  /** What was taken, in order. What is refused stays first: nothing later is written before it. */
  let queue: readonly Taken<Kept>[] = [];
  /** Who waits for a record. */
  const recording = new Map<KeptRecord, Waiter>();

  function add(change: Partial<StateChange<Kept>>): void {
    refresh();
    const { records = [], snapshot = null, without = null, isCleared = false, lines = [] } = change;
    next = {
      records: [...next.records, ...records],
      snapshot: snapshot ?? next.snapshot,
      without: without ?? next.without,
      isCleared: isCleared || next.isCleared,
      lines: isCleared ? lines : [...next.lines, ...lines],
    };
  }
  /** A record waits for the snapshot that names it. */
  function take(isDurable: boolean): void {
    const { records, without } = next;
    const isWaiting = next.snapshot === null;
    const taken = isWaiting ? { ...next, records: [], without: null } : next;
    queue = [...queue, { change: taken, isDurable }];
    next = isWaiting ? { ...NOTHING, records, without } : NOTHING;
  }
  function recorded({ records }: StateChange<Kept>, refusal: StateError | null): void {
    for (const record of records) {
      const { done, failed } = recording.get(record) ?? {};
      recording.delete(record);
      if (refusal === null) done?.();
      else failed?.(refusal);
    }
  }
  /** A snapshot that is never accepted is left to who wanted it kept; lines stay. */
  function dropRefused(): void {
    const [first, ...rest] = queue;
    if (first === undefined || first.change.snapshot === null) return;
    const { lines } = first.change;
    queue = [...(lines.length === 0 ? [] : [{ ...first, change: { ...NOTHING, lines } }]), ...rest];
  }

  async function writeQueue(): Promise<void> {
    for (let [first] = queue; first !== undefined; [first] = queue) {
      const { change, isDurable } = first;
      try {
        await keepTrying(() => writer.write(change, isDurable));
      } catch (error) {
        if (!(error instanceof StateError) || error.refusal !== "never") throw error;
        const other = withoutRecords(change);
        recorded(change, error);
        if (other === null) {
          dropRefused();
          throw error;
        }
        queue = [{ change: other, isDurable }, ...queue.slice(1)];
        continue;
      }
      recorded(change, null);
      queue = queue.slice(1);
    }
  }

  async function giveUpWith(last: StateChange<Kept> | null): Promise<void> {
    try {
      await keepTrying(() => writer.release(last, true));
    } catch (error) {
      const other = last === null ? null : withoutRecords(last);
      if (!(error instanceof StateError) || error.refusal !== "never" || last === null || other === null)
        throw error;
      recorded(last, error);
      return giveUpWith(other);
    }
    if (last !== null) recorded(last, null);
  }

  return {
    add,
    take,
    write: writeQueue,
    hasLines: () => next.lines.length > 0,
    isEmpty: () => queue.length === 0 && isNothing(next),
    /** Waits until a record is kept. */
    kept(record: KeptRecord): Promise<void> {
      const kept = new Promise<void>((done, failed) => recording.set(record, { done, failed }));
      // Who gives a record may wait for it later, or not at all.
      kept.catch(() => undefined);
      return kept;
    },
    /** Gives the lock up with the last of it. */
    async release(): Promise<void> {
      await writeQueue();
      // No snapshot names a record that is left here.
      const left = next.snapshot === null ? { ...next, records: [] } : next;
      await giveUpWith(isNothing(left) ? null : left);
    },
  };
}

/** Who waits for what was given to a lock. */
interface Waiter {
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** A change that was taken to be written. */
interface Taken<Kept extends Version> {
  readonly change: StateChange<Kept>;
  readonly isDurable: boolean;
}

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
const NOTHING: StateChange<never> = {
  records: [],
  snapshot: null,
  without: null,
  isCleared: false,
  lines: [],
};

/** Whether a change changes nothing. */
function isNothing(change: Omit<StateChange<Version>, "without">): boolean {
  const { records, snapshot, isCleared, lines } = change;
  return records.length === 0 && snapshot === null && !isCleared && lines.length === 0;
}

/** A change that leaves out what a store never accepts: its records; null where it has none, or means nothing without them. */
function withoutRecords<Kept extends Version>(change: StateChange<Kept>): StateChange<Kept> | null {
  const { records, without } = change;
  return records.length === 0 || without === null
    ? null
    : { ...change, records: [], snapshot: without, without: null };
}

/** Makes the attempts for the holder of a lock: they end when the lock is lost. */
function makeAttempts({
  clock,
  lease,
  waiting: { patience = 0, told = () => undefined },
}: {
  readonly clock: Clock;
  readonly lease: Pick<Lease, "lost">;
  readonly waiting: Waiting;
}): Attempts {
  /** When the store was found to be away, and when something to be written last came, by the clock's `elapsed`. */
  let awaySince: number | null = null;
  let cameAt = Number.NEGATIVE_INFINITY;
  /** Whether the time was up once: until a write succeeds, each one is tried once. */
  let isTired = false;

  return {
    refresh() {
      cameAt = clock.elapsed();
    },
    async keepTrying(work) {
      for (let pause = PAUSE.first; ; pause = Math.min(2 * pause, PAUSE.longest)) {
        try {
          const value = await work();
          [awaySince, isTired] = [null, false];
          return value;
        } catch (error) {
          if (!isPassing(error)) throw error;
          awaySince ??= clock.elapsed();
          const left = Math.max(awaySince, cameAt) + patience - clock.elapsed();
          if (left <= 0 || isTired) {
            isTired = true;
            throw error;
          }
          told({ as: "away", why: error.diagnostic, left });
          await clock.sleep(Math.min(pause, left));
          lease.lost.throwIfAborted();
        }
      }
    },
  };
}

/** Whether the same write may be accepted later. */
function isPassing(error: unknown): error is StateError {
  return error instanceof StateError && error.refusal === "again";
}
