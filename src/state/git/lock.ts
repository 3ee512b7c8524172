import { lockLost } from "../fault.js";
import { holdLease } from "../lease.js";
import type { Kept } from "../snapshot.js";
import { isMoved, isSealed } from "../snapshot.js";
import type { Lock } from "../store.js";
import { checkSuccession } from "../succession.js";
import { type StateChange, writeStateFiles } from "./document.js";
import { notTaken, rewritten } from "./fault.js";
import { authorOf, lockDraft, trailers } from "./held.js";
import type { CommitDraft } from "./repository.js";
import type { Taken } from "./take.js";

/** What waits for the next push. */
interface Waiter {
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** A push whose result is unknown is sent so often, at the distance of pushes. */
const ATTEMPTS = 4;

/**
 * The lock of a state in a repository. What is written at the same time shares one push, which moves
 * state and lock together: only the holder can make it. Each push renews the lock.
 */
export function lockOf(taken: Taken): Lock<Kept> {
  const { repository, owner, name, ref, version, clock, cadence, pacer } = taken;
  let { heads, state } = taken;
  let effect: string | null = null;
  let lines: string[] = [];
  let isCleared = false;
  let snapshot: Kept | null = null;
  let waiters: Waiter[] = [];
  let pushing: Promise<void> | null = null;
  let isReleased = false;
  /** After a fault no line follows: one may be missing before it. */
  let broken: { readonly error: unknown } | null = null;

  const lease = holdLease({ name, clock, length: cadence.lease, beat: cadence.beat, renew });

  async function renew(): Promise<boolean> {
    await asked().catch((error) => {
      if (!lease.lost.aborted) throw error;
    });
    return !lease.lost.aborted;
  }

  /** Resolves when everything so far, and a renewal of the lock, is in the remote. */
  function asked(): Promise<void> {
    if (isReleased || lease.lost.aborted) return Promise.reject(lockLost(name));
    const pushed = new Promise<void>((done, failed) => waiters.push({ done, failed }));
    // The push takes what is there in a later turn, so that all who write in this turn share it.
    pushing ??= Promise.resolve().then(pushAll);
    return pushed;
  }

  async function pushAll(): Promise<void> {
    while (waiters.length > 0) {
      if (pacer.left() > 0) await pacer.start();
      else void pacer.start();
      const mine = waiters;
      waiters = [];
      const before = lease.instant();
      try {
        if (lease.lost.aborted) throw lockLost(name);
        await send(take());
        lease.renewed(before);
        for (const { done } of mine) done();
      } catch (error) {
        broken ??= { error };
        for (const { failed } of mine) failed(error);
      }
    }
    pushing = null;
  }

  function take(): StateChange {
    const change = { snapshot, isCleared, lines: broken === null ? lines : [] };
    [snapshot, isCleared, lines] = [null, false, []];
    return change;
  }

  /** Pushes one change, and settles what is unknown about it by reading. The last push gives the lock up. */
  async function send(change: StateChange, isLast = false): Promise<void> {
    const isEmpty = change.snapshot === null && !change.isCleared && change.lines.length === 0;
    const next = isEmpty ? null : writeStateFiles(change, state, version);
    const drafts = [
      ...(next === null ? [] : [draftOf(change, next, isLast)]),
      ...(isLast ? [] : [lockDraft(owner, heads, clock.now())]),
    ];
    const made = drafts.length === 0 ? [] : await repository.commit(drafts);
    const to = {
      state: next === null ? heads.state : (made[0] ?? null),
      lock: isLast ? null : (made.at(-1) ?? null),
    };
    for (let attempt = 1; ; attempt += 1) {
      const pushed = await repository.push(heads, to);
      if (pushed.isDone) break;
      if (pushed.reply.lock !== heads.lock) {
        lease.lose();
        throw lockLost(name);
      }
      if (pushed.reply.state !== heads.state) throw rewritten(name, ref);
      if (pushed.isRejected || attempt === ATTEMPTS) throw notTaken(pushed, name, ref);
      await pacer.start();
    }
    heads = to;
    if (next !== null) state = { version: next.version, batches: next.batches };
  }

  function draftOf(
    { snapshot, lines }: StateChange,
    { removed, files }: ReturnType<typeof writeStateFiles>,
    isLast: boolean,
  ): CommitDraft {
    if (snapshot !== null) effect = effectIn(snapshot) ?? effect;
    const subject =
      snapshot !== null
        ? `Save serial ${snapshot.serial}`
        : isLast
          ? "End the run"
          : `Record ${lines.length} lines`;
    const plan = effect === null ? "" : `Plan: ${effect}\n`;
    const message = `${subject}\n\n${plan}${trailers(owner)}`;
    const at = Math.floor(clock.now() / 1000);
    return { parent: heads.state, message, author: authorOf(owner), at, removed, files };
  }

  async function checkHeld(): Promise<void> {
    if (isReleased || lease.lost.aborted) throw lockLost(name);
    if ((await repository.heads()).lock === heads.lock || pushing !== null) return;
    lease.lose();
    throw lockLost(name);
  }

  return {
    owner,
    lost: lease.lost,
    confirm: lease.confirm,
    async save(kept) {
      checkSuccession(name, state.version, kept);
      snapshot = kept;
      await asked();
    },
    journal: {
      async append(line) {
        if (broken !== null) throw broken.error;
        lines.push(line);
        await asked();
      },
      note(line) {
        lines.push(line);
      },
      /** The lines are gone for a reader with the next push, and when the lock is released at the latest. */
      async clear() {
        await checkHeld();
        [isCleared, lines] = [true, []];
      },
    },
    async release() {
      if (isReleased) return;
      isReleased = true;
      await lease.close();
      await pushing;
      // A lock that cannot be given up becomes free when its lease has passed.
      if (!lease.lost.aborted) {
        await pacer.start();
        await send(take(), true).catch(() => undefined);
      }
      await repository.close();
    },
  };
}

/** The effect of the plan that a snapshot was saved by; null where it is not known. */
function effectIn(kept: Kept): string | null {
  if (isSealed(kept)) return kept.effect;
  return isMoved(kept) ? null : (kept.applying?.effect ?? null);
}
