import { kindOf } from "../kinds/index.js";
import { type FoundInterfaces, isLive } from "../kinds/interface.js";
import type { Kind } from "../kinds/kind.js";
import { formatAddress } from "../model/address.js";
import { formatKey } from "../model/key.js";
import type { Rhythm } from "../state/store.js";
import { parentOf } from "../tenant/desire.js";
import { totalOf } from "../tenant/known.js";
import { readsFor, type Wanted } from "../tenant/reads.js";
import { isPending } from "./calls.js";
import { freshnessFor } from "./freshness.js";
import type { Planned } from "./plan.js";
import type { Step } from "./step.js";

/** When a plan is applied: by the run that made it, which knows the tenant still, or later. */
export type AppliedWhen = "at once" | "later";

/**
 * The calls an apply will make, per kind. Each write is one. Where objects are read live, so is the read of each object that
 * it writes or only records, unless the plan's own read counts. Kinds are in the order of their names.
 */
export function callsAhead(
  steps: readonly Step[],
  found: FoundInterfaces,
  when: AppliedWhen,
): Readonly<Record<string, number>> {
  const isShown = ({ address }: Step) => isLive(found, address.kind);
  const counts = new Map<string, number>();
  const freshnessOf = (step: Step) => freshnessFor(step, kindOf(step.address));
  const add = (name: string, count: number) => {
    if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
  };
  const writing = steps.filter(({ calls }) => calls.length > 0);
  for (const { address, calls } of writing) add(address.kind, calls.length);
  const isKnown = (step: Step) => when === "at once" && freshnessOf(step) === "recent";
  const ahead = steps.filter(({ action }) => isPending(action) && action !== "blocked");
  const read = ahead.filter((step) => isShown(step) && !isKnown(step));
  for (const kind of new Set(read.map(({ address }) => kindOf(address)))) {
    const wanted = read
      .filter(({ address }) => address.kind === kind.name)
      .map((step) => wantedBy(step, kind));
    const { lists, items } = readsFor(kind, wanted);
    add(kind.name, lists.length + items.length);
  }
  // After the last create in an app, its list is read once more.
  const made = writing.filter((step) => step.key === null && isShown(step));
  for (const kind of new Set(made.map(({ address }) => kindOf(address)))) {
    const wanted = made
      .filter(({ address }) => address.kind === kind.name)
      .map((step) => wantedBy(step, kind));
    add(kind.name, readsFor(kind, wanted).lists.length);
  }
  return inOrder(Object.fromEntries(counts));
}

function wantedBy({ address, key, managed: { identity } }: Step, kind: Kind): Wanted {
  const parent = key === null ? parentOf(kind, identity) : key.slice(0, -1);
  const name = key === null ? formatAddress(address) : formatKey(kind.name, key);
  return { kind, key, parent, name, spec: null, expected: null };
}

/** How long an apply takes at that width, in whole seconds. */
export function estimate(ahead: Readonly<Record<string, number>>, width: number): Planned["estimate"] {
  const at = { width, widest: width };
  return { seconds: Math.ceil(roundsOf(totalOf(ahead), at) * SECONDS_PER_CALL), width };
}

/** How fast a service was while a plan was made, and how fast the store of the state is. */
export interface Speed {
  /** Milliseconds that the reply to a call for one object takes; null where there was none. */
  readonly replyTime: number | null;
  /** How many calls may be under way now, and the most that it may come to again. */
  readonly width: number;
  readonly widest: number;
  /** Calls per second that it allows; null where no limit was found. */
  readonly perSecond: number | null;
  /** How the store of the state is written to. */
  readonly rhythm: Rhythm;
}

/**
 * The plan with the time that an apply takes at a speed; without one the assumption stays. For readers only: a saved plan
 * has what was measured beside it.
 */
export function measured(plan: Planned, speed: Speed | null): Planned {
  if (speed === null) return plan;
  const { width } = plan.estimate;
  const keeping = secondsForState(plan, speed.rhythm);
  const state = Math.round(keeping);
  if (speed.replyTime === null && state === 0) return plan;
  const estimate = {
    seconds: Math.round(secondsForCalls(plan, speed) + keeping),
    width,
    ...(speed.replyTime !== null && ({ measured: true } as const)),
    ...(state > 0 && { state }),
  };
  return { ...plan, estimate };
}

function secondsForCalls({ calls: { ahead }, estimate }: Planned, speed: Speed): number {
  const { replyTime, perSecond } = speed;
  if (replyTime === null) return estimate.seconds;
  const calls = totalOf(ahead);
  const widest = Math.min(speed.widest, estimate.width);
  const ofReplies = (roundsOf(calls, { width: speed.width, widest }) * replyTime) / 1000;
  // Most of the work is done while replies are waited for, and what is done between them adds to that.
  const ofCalls = Math.hypot(ofReplies, calls * WORK_PER_CALL);
  return Math.max(ofCalls, perSecond === null ? 0 : calls / perSecond);
}

/** Writes of the state at the end: the last outcomes, the snapshot, and the journal that is removed. */
const LAST_WRITES = 3;

/** Intents are written by as many steps as are under way, or far ahead; each waits for one write. */
function secondsForState({ steps, estimate: { width } }: Planned, { ahead, trip }: Rhythm): number {
  const writing = trip === 0 ? 0 : steps.filter(({ calls }) => calls.length > 0).length;
  if (writing === 0) return 0;
  return ((Math.ceil(writing / Math.max(ahead, width)) + LAST_WRITES) * trip) / 1000;
}

/** Calls go in rounds of as many as may be under way. After a refusal this is fewer, and one more after each round. */
function roundsOf(calls: number, { width, widest }: Pick<Speed, "width" | "widest">): number {
  let [left, rounds] = [calls, 0];
  for (let open = width; open < widest && left > 0; open += 1) {
    left -= open;
    rounds += 1;
  }
  return rounds + Math.ceil(Math.max(0, left) / widest);
}

/** The same record with its names in order, whichever came first. */
export function inOrder<T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The seconds that one call takes where nothing is known of the service's pace. */
export const SECONDS_PER_CALL = 0.25;

/** The seconds of its own work that remit spends on one call, which no width shortens. */
const WORK_PER_CALL = 0.0008;
