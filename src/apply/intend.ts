import { ours } from "../diff/own.js";
import type { Key } from "../model/key.js";
import { deedOf, type Step } from "../plan/step.js";
import { asOfCall, type StepContext } from "./context.js";
import { writtenUntil } from "./lateParts.js";

/** The recorded intent of one call of a step, and when recording started. */
export interface Intent {
  readonly at: number;
}

/** Puts on record what one call of a step is about to do; when it resolves the call may leave. */
export async function intend(
  step: Step,
  place: number,
  key: Key | null,
  context: StepContext,
): Promise<Intent> {
  const { record, patience, kind } = context;
  const { address, after, managed } = asOfCall(step, place);
  const { identity } = managed;
  const at = patience.clock.elapsed();
  await record({
    type: "intended",
    address,
    action: deedOf(step),
    key,
    identity,
    applied: ours(after ?? {}, managed.owned),
    protected: managed.protected,
    background: context.background,
    ...context.mark,
    call: place,
    of: step.calls.length,
    once: step.calls[place]?.effect === "once",
    ...writtenUntil(step, place, kind),
  });
  return { at };
}

/**
 * Whether a step's intent may be recorded while it still waits for its turn, so that the turn is not spent on waiting
 * for the disk. That of a create may not, but for a few (`EarlyIntents`): cut off in between, it is looked for, or in doubt.
 * A store that writes seldom takes that, and has all intents ahead.
 */
export function mayWait({ calls }: Step, { isAhead }: Pick<StepContext, "isAhead">): boolean {
  return isAhead || calls[0]?.effect !== "once";
}
