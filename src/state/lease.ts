import type { Clock } from "../model/clock.js";
import { lockLost } from "./fault.js";
import type { StateError } from "./store.js";

/** How a lease is kept. */
interface LeaseOptions {
  /** The store, as messages name it. */
  readonly name: string;
  readonly clock: Clock;
  /** Milliseconds after which another run may take a lock that was not renewed. */
  readonly length: number;
  /** Milliseconds between two renewals of a quiet holder. */
  readonly beat: number;
  /** Whether the lock is yet to be acquired: the first renewal does it. */
  readonly isOpen?: boolean;
  /** Renews the lease; false where the lock is not this run's any more. Throws where the store does not answer. */
  readonly renew: () => Promise<boolean>;
}

/** The lease of a lock that this run holds. */
export interface Lease {
  /** Aborts, with a `StateError` as its reason, once the store has said that the lock is lost. */
  readonly lost: AbortSignal;
  /**
   * Resolves when less than two thirds of the lease have passed since its last confirmed renewal; renews it first where
   * more have passed. Throws a `StateError` where the lock is lost, or where the store does not answer.
   */
  confirm(): Promise<void>;
  /** Now, for `renewed`. */
  instant(): Instant;
  /** A write that was sent at that instant has renewed the lease, too. */
  renewed(at: Instant): void;
  /** This run has the lock no longer, because another run has it where no reason is given. */
  lose(why?: StateError): void;
  /** Ends the renewals; resolves when none is under way. */
  close(): Promise<void>;
}

/** An instant by both clocks: the wall's may jump, and the other may stand still while the machine sleeps. */
interface Instant {
  readonly wall: number;
  readonly elapsed: number;
}

/** Before any clock began: a lease of that age is never fresh. */
const NEVER: Instant = { wall: Number.NEGATIVE_INFINITY, elapsed: Number.NEGATIVE_INFINITY };

/** Keeps a lease that has just been taken, or is taken by its first renewal. */
export function holdLease({ name, clock, length, beat, renew, isOpen = false }: LeaseOptions): Lease {
  const lost = new AbortController();
  const closed = new AbortController();
  const instant = (): Instant => ({ wall: clock.now(), elapsed: clock.elapsed() });
  let confirmed = isOpen ? NEVER : instant();
  let renewing: Promise<void> | null = null;

  const age = () => Math.max(clock.now() - confirmed.wall, clock.elapsed() - confirmed.elapsed);
  const isFresh = () => age() < (2 / 3) * length;
  const lose = (why = lockLost(name)) => {
    if (!closed.signal.aborted) lost.abort(why);
  };

  /** A renewal counts from before it was sent: the store may have carried it out at any time since then. */
  async function renewOnce(): Promise<void> {
    const before = instant();
    if (await renew()) confirmed = before;
    else lose();
  }
  function renewNow(): Promise<void> {
    renewing ??= renewOnce().finally(() => {
      renewing = null;
    });
    return renewing;
  }

  async function beating(): Promise<void> {
    while (!lost.signal.aborted) {
      await clock.sleep(age() < beat ? beat - age() : beat, closed.signal);
      if (closed.signal.aborted) return;
      // A write has renewed the lease in the meantime.
      if (age() < beat) continue;
      // A store that stays silent has not said that the lock is another run's: nothing is sent until it answers.
      await renewNow().catch(() => undefined);
    }
  }
  const beats = beating().catch(() => undefined);

  return {
    lost: lost.signal,
    lose,
    instant,
    renewed(at) {
      if (at.elapsed > confirmed.elapsed) confirmed = at;
    },
    async confirm() {
      lost.signal.throwIfAborted();
      if (closed.signal.aborted) throw lockLost(name);
      while (!isFresh()) {
        await renewNow();
        lost.signal.throwIfAborted();
      }
    },
    async close() {
      closed.abort();
      await beats;
      await renewing?.catch(() => undefined);
    },
  };
}
