import type { Clock } from "../model/clock.js";
import { lockedBy } from "./owner.js";
import type { Owner, Waiting } from "./store.js";

/** A lock that another run holds. */
interface FoundLock {
  /** Another one with each sign of life of its holder. */
  readonly tag: string;
  readonly by: Owner | null;
  /** Whether its holder is certainly dead. */
  readonly isGone: boolean;
  /** Whether a single look makes the holder seem silent: a reason to wait longer, and never to take over. */
  seemsSilent(): boolean | Promise<boolean>;
}

/** How one store locks. */
interface Locking<Taken> {
  /** The store, as messages name it. */
  readonly name: string;
  readonly clock: Clock;
  /** A holder that shows no life for so many milliseconds is dead; infinite where no run may conclude that. */
  readonly silence: number;
  /** Milliseconds from one look to the next. */
  readonly poll: number;
  /** How the lock becomes free, in words. */
  readonly next: string;
  /** Null where no run holds it. */
  look(): Promise<FoundLock | null>;
  /** Takes what was just looked at; null where another run was faster. */
  take(found: FoundLock | null): Promise<Taken | null>;
}

/**
 * Waits for a lock, and takes it over from a holder that is dead. The time to wait and the silence of the holder count
 * from the first look, so a slow disk shortens neither. This run's own monotonic clock counts them: no clock is compared
 * with another. A holder that seems silent is watched until its silence is certain, also beyond the time to wait.
 */
export async function waitForLock<Taken>(
  { name, clock, silence, poll, next, look, take }: Locking<Taken>,
  { timeout, signal }: Waiting,
): Promise<Taken> {
  let began: number | null = null;
  let watched = null as { readonly tag: string; readonly since: number } | null;
  for (;;) {
    signal?.throwIfAborted();
    const asked = clock.elapsed();
    const found = await look();
    const now = clock.elapsed();
    began ??= now;
    const isSilent = found !== null && watched?.tag === found.tag && asked - watched.since >= silence;
    if (found === null || found.isGone || isSilent) {
      const taken = await take(found);
      if (taken !== null) return taken;
      if (found === null) continue;
    }
    if (watched?.tag !== found.tag) watched = { tag: found.tag, since: now };
    const isUp = now - began >= timeout;
    const isWatched = asked - watched.since < silence + poll && isUp && (await found.seemsSilent());
    if (isUp && !isWatched) throw lockedBy(name, found.by, timeout, next);
    await clock.sleep(poll, signal);
  }
}
