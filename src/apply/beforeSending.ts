import type { Key } from "../model/key.js";
import type { Step } from "../plan/step.js";
import { StateError } from "../state/store.js";
import { say } from "../words/say.js";
import type { StepContext } from "./context.js";
import { type Intent, intend } from "./intend.js";
import type { StepResult } from "./settle.js";

/** A step whose first call is not to leave after all; nothing of it was done. */
export class Withdrawn extends Error {
  readonly how: StepResult;

  constructor(how: StepResult) {
    super("the call is not to leave");
    this.name = "Withdrawn";
    this.how = how;
  }
}

/** What a step has ready for its first call when its turn comes. */
export interface Readiness {
  /** What is on record of the call; null where that may not wait for a turn. */
  readonly intent: Intent | null;
  /** Reads again where the last read is too old; gives how the step ends if its object has moved since, else null. */
  readonly moved: () => Promise<StepResult | null>;
}

/** A call that is about to leave. */
interface BeforeSending {
  readonly step: Step;
  /** Which of the step's calls, counted from 0. */
  readonly place: number;
  readonly key: Key | null;
  /** Null for a call after the first. */
  readonly readiness: Readiness | null;
}

/**
 * What must hold before each call leaves. The object is still the one that the plan was made on, the intent is on the
 * disk (recently, for a create), the lock is certain, and the run continues. Throws a `Withdrawn` where nothing of the step
 * can have been done yet, else the `StateError` that stops it.
 */
export function makeBeforeSending(departing: BeforeSending, context: StepContext): () => Promise<void> {
  const { step, place, key, readiness } = departing;
  const { halt, patience } = context;
  const isOnce = step.calls[place]?.effect === "once";
  let intent = readiness?.intent ?? null;
  let hasLeft = false;

  function goOn(isUntouched: boolean): void {
    const reason = halt.reason();
    if (reason !== null && isUntouched) throw new Withdrawn(leftFor(step, reason.why));
    const lost = halt.lost();
    if (lost !== null) throw lost;
  }

  /** What the store has to do before the call leaves. */
  async function kept<T>(isUntouched: boolean, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isUntouched) throw error;
      throw new Withdrawn(unkept(step, error, context));
    }
  }

  // The time when it left matters later only for a create.
  const isOld = ({ at }: Intent) => isOnce && patience.clock.elapsed() - at > patience.horizon;

  return async () => {
    // A create leaves again only once it is certain that nothing came of it.
    const isUntouched = readiness !== null && (isOnce || !hasLeft);
    do {
      goOn(isUntouched);
      const how = isUntouched ? await readiness.moved() : null;
      if (how !== null) throw new Withdrawn(how);
      goOn(isUntouched);
      if (intent === null || isOld(intent))
        intent = await kept(isUntouched, () => intend(step, place, key, context));
      await kept(isUntouched, halt.confirm);
      // A disk that took too long over it is asked once more.
    } while (isOld(intent));
    goOn(isUntouched);
    hasLeft = true;
  };
}

/** How a step ends that was not started, for that reason. */
export function leftFor({ key, managed: { span } }: Step, why: string): StepResult {
  return { outcome: "left", key, record: null, diagnostics: [say("apply/left", { why }, { span })] };
}

/**
 * How a step ends that was not started because its intent could not be saved; throws any error other than a
 * `StateError`.
 */
export function unkept({ key }: Step, error: unknown, { halt }: Pick<StepContext, "halt">): StepResult {
  halt.fail(error);
  const diagnostics = error instanceof StateError ? [error.diagnostic] : [];
  return { outcome: "left", key, record: null, diagnostics };
}
