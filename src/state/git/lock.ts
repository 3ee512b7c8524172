import { say } from "../../words/say.js";
import { isNothing, NOTHING, type StateChange } from "../change.js";
import { lockLost } from "../fault.js";
import { holdLease } from "../lease.js";
import { isMoved, isSealed, type Kept } from "../snapshot.js";
import { type Lock, StateError, type Waiting } from "../store.js";
import { checkSuccession } from "../succession.js";
import { heldLock, type Writer } from "../writes.js";
import { writeStateFiles } from "./document.js";
import { notTaken } from "./fault.js";
import { authorOf, lockDraft, trailers } from "./held.js";
import type { CommitDraft, Heads } from "./repository.js";
import { contend, rivalsFor, type TakenRef } from "./take.js";

/** What the lock is after a push: this run's, free, or left without all that the run had. */
type LockAfter = "held" | "free" | "left";

/** The commits of a push, and what the state is with them. */
interface Made {
  /** Where the push moves the refs to; several that want the same where the remote is probed. */
  readonly rivals: readonly [Heads, ...Heads[]];
  readonly state: TakenRef["state"];
}

/** A push whose result is unknown is sent so often at the distance of pushes, before the store counts as away. */
const ATTEMPTS = 2;

/**
 * The lock of a state in a repository. What is written at the same time shares one push, which moves
 * state and lock together: only the holder can make it. Each push renews the lock. A lock that was free is acquired by
 * the first push, if state and lock are then where they were seen: no other run has written meanwhile.
 */
export function lockOf(taken: TakenRef, waiting: Waiting): Lock<Kept> {
  const { repository, owner, name, ref, version, clock, cadence, pacer } = taken;
  let { heads, state } = taken;
  let effect: string | null = null;
  const isHeld = () => heads.lock !== null;
  const lease = holdLease({
    name,
    clock,
    length: cadence.lease,
    beat: cadence.beat,
    renew,
    isOpen: !isHeld(),
  });

  async function renew(): Promise<boolean> {
    await flush().catch((error) => {
      if (!lease.lost.aborted) throw error;
    });
    return !lease.lost.aborted;
  }

  /** What was pushed last without being known to be there; the same change is pushed as the same commits again. */
  let open: { readonly change: StateChange<Kept>; readonly after: LockAfter; readonly made: Made } | null =
    null;

  async function make(change: StateChange<Kept>, after: LockAfter): Promise<Made> {
    if (change.snapshot !== null) checkSuccession(name, state.version, change.snapshot);
    const next = isNothing(change) ? null : writeStateFiles(change, state, version);
    const [mine] = next === null ? [heads.state] : await repository.commit([draftOf(change, next, after)]);
    const at = mine ?? null;
    const drafts = Array.from({ length: after === "free" ? 0 : rivalsFor(heads, state) }, () =>
      lockDraft(owner, heads, at, clock.now(), after === "left"),
    );
    const [lock = null, ...others] = drafts.length === 0 ? [] : await repository.commit(drafts);
    const rest = others.map((other) => ({ state: at, lock: other }));
    return {
      rivals: [{ state: at, lock }, ...rest],
      state: next === null ? state : { version: next.version, batches: next.batches },
    };
  }

  /** Pushes one change, and settles what is unknown about it by reading. The last push gives the lock up. */
  async function send(change: StateChange<Kept>, after: LockAfter): Promise<void> {
    const isRepeated = open?.change === change && open.after === after;
    if (open === null || !isRepeated) open = { change, after, made: await make(change, after) };
    const { made } = open;
    for (let attempt = 1; ; attempt += 1) {
      if (isRepeated || attempt > 1) await pacer.ready();
      const { won, there, pushed } = await contend(repository, name, heads, made.rivals).catch(undecided);
      if (won !== null) {
        open = null;
        heads = won;
        state = made.state;
        return;
      }
      const isElsewhere = there.lock !== heads.lock || there.state !== heads.state;
      // The run that acquires the lock by a push of its own hears what refuses it.
      const error = notTaken(pushed, name, ref);
      const isFinal = pushed.isRejected || error.refusal === "never";
      if (!isHeld() && (isElsewhere || isFinal))
        throw lose(new StateError(say("state/not-acquired", { name }), { refusal: "held" }));
      if (there.lock !== heads.lock) throw lose(lockLost(name));
      if (isElsewhere) throw new StateError(say("state/changed#rewritten", { ref, name }));
      if (isFinal || attempt === ATTEMPTS) throw error;
    }
  }

  /** A lock that is certainly not acquired is lost; an answer that is missing may still come. */
  function undecided(error: unknown): never {
    const isCertain = error instanceof StateError && error.refusal !== "again";
    throw isCertain && !isHeld()
      ? lose(new StateError(say("state/not-acquired", { name }), { refusal: "held" }))
      : error;
  }
  function lose(why: StateError): StateError {
    lease.lose(why);
    return why;
  }

  function draftOf(
    { snapshot, lines }: StateChange<Kept>,
    { removed, files }: ReturnType<typeof writeStateFiles>,
    after: LockAfter,
  ): CommitDraft {
    if (snapshot !== null) effect = effectIn(snapshot) ?? effect;
    const subject =
      snapshot !== null
        ? `Save serial ${snapshot.serial}`
        : after === "free"
          ? "End the run"
          : `Record ${lines.length} lines`;
    const plan = effect === null ? "" : `Plan: ${effect}\n`;
    const message = `${subject}\n\n${plan}${trailers(owner)}`;
    const at = Math.floor(clock.now() / 1000);
    return { parent: heads.state, message, author: authorOf(owner), at, removed, files };
  }

  async function write(change: StateChange<Kept>): Promise<void> {
    const before = lease.instant();
    await send(change, "held");
    lease.renewed(before);
  }
  /** The last change of a run that wrote nothing before, once it has acquired the lock. */
  let written: StateChange<Kept> | null = null;

  const writer: Writer<Kept> = {
    isAtomic: true,
    linger: null,
    ready: pacer.ready,
    write,
    async release(last, isWhole) {
      if (!isHeld() && last !== null) {
        await write(last);
        written = last;
      }
      await lease.close();
      if (!isHeld()) return;
      await pacer.ready();
      await send(last === null || last === written ? NOTHING : last, isWhole ? "free" : "left");
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
