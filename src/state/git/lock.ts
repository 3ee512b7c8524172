import { lockLost } from "../fault.js";
import { holdLease } from "../lease.js";
import type { Kept } from "../snapshot.js";
import { isMoved, isSealed } from "../snapshot.js";
import type { Lock, Waiting } from "../store.js";
import { checkSuccession } from "../succession.js";
import { heldLock, type StateChange, type Writer } from "../writes.js";
import { writeStateFiles } from "./document.js";
import { notTaken, rewritten } from "./fault.js";
import { authorOf, lockDraft, trailers } from "./held.js";
import type { CommitDraft, Heads } from "./repository.js";
import type { TakenRef } from "./take.js";

/** The commits of a push, and what the state is with them. */
interface Made {
  readonly to: Heads;
  readonly state: TakenRef["state"];
}

const NOTHING: StateChange<Kept> = { snapshot: null, isCleared: false, lines: [] };
/** A push whose result is unknown is sent so often at the distance of pushes, before the store counts as away. */
const ATTEMPTS = 2;

/**
 * The lock of a state in a repository. What is written at the same time shares one push, which moves
 * state and lock together: only the holder can make it. Each push renews the lock.
 */
export function lockOf(taken: TakenRef, waiting: Waiting): Lock<Kept> {
  const { repository, owner, name, ref, version, clock, cadence, pacer } = taken;
  let { heads, state } = taken;
  let effect: string | null = null;
  const lease = holdLease({ name, clock, length: cadence.lease, beat: cadence.beat, renew });

  async function renew(): Promise<boolean> {
    await flush().catch((error) => {
      if (!lease.lost.aborted) throw error;
    });
    return !lease.lost.aborted;
  }

  /** What was pushed last without being known to be there; the same change is pushed as the same commits again. */
  let open: { readonly change: StateChange<Kept>; readonly isLast: boolean; readonly made: Made } | null =
    null;

  async function make(change: StateChange<Kept>, isLast: boolean): Promise<Made> {
    const isEmpty = change.snapshot === null && !change.isCleared && change.lines.length === 0;
    if (change.snapshot !== null) checkSuccession(name, state.version, change.snapshot);
    const next = isEmpty ? null : writeStateFiles(change, state, version);
    const [mine] = next === null ? [heads.state] : await repository.commit([draftOf(change, next, isLast)]);
    const at = mine ?? null;
    const [lock] = isLast ? [] : await repository.commit([lockDraft(owner, heads, at, clock.now())]);
    const to = { state: at, lock: lock ?? null };
    return { to, state: next === null ? state : { version: next.version, batches: next.batches } };
  }

  /** Pushes one change, and settles what is unknown about it by reading. The last push gives the lock up. */
  async function send(change: StateChange<Kept>, isLast: boolean): Promise<void> {
    const isRepeated = open?.change === change && open.isLast === isLast;
    if (open === null || !isRepeated) open = { change, isLast, made: await make(change, isLast) };
    const { made } = open;
    for (let attempt = 1; ; attempt += 1) {
      if (isRepeated || attempt > 1) await pacer.ready();
      const pushed = await repository.push(heads, made.to);
      if (pushed.isDone) break;
      if (pushed.reply.lock !== heads.lock) {
        lease.lose();
        throw lockLost(name);
      }
      if (pushed.reply.state !== heads.state) throw rewritten(name, ref);
      if (pushed.isRejected || attempt === ATTEMPTS) throw notTaken(pushed, name, ref);
    }
    open = null;
    ({ to: heads, state } = made);
  }

  function draftOf(
    { snapshot, lines }: StateChange<Kept>,
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

  const writer: Writer<Kept> = {
    isAtomic: true,
    linger: null,
    ready: pacer.ready,
    async write(change) {
      const before = lease.instant();
      await send(change, false);
      lease.renewed(before);
    },
    async release(last) {
      await lease.close();
      await pacer.ready();
      await send(last ?? NOTHING, true);
    },
    close: repository.close,
  };
  const { lock, flush } = heldLock<Kept>({ name, owner, clock, writer, lease, waiting });
  return lock;
}

/** The effect of the plan that a snapshot was saved by; null where it is not known. */
function effectIn(kept: Kept): string | null {
  if (isSealed(kept)) return kept.effect;
  return isMoved(kept) ? null : (kept.applying?.effect ?? null);
}
