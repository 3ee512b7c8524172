import type { Address } from "../model/address.js";
import { firstWrite } from "../plan/pendingStep.js";
import type { Step } from "../plan/step.js";
import type { Outcome } from "./event.js";

/** An object of a ring that did not come to be. */
export interface Unmade {
  readonly need: Address;
  readonly outcome: Outcome;
}

/** A step as its call at a place means to leave the object: in a ring, what awaits others is not in it before the last write. */
export function asOfCall(step: Step, place: number): Step {
  const first = step.calls.slice(place + 1).some(({ awaits }) => awaits !== undefined)
    ? firstWrite(step)
    : null;
  const whole = step.after;
  if (first === null || whole === null) return step;
  const owned = step.managed.owned.filter((name) => name in first || !(name in whole));
  return { ...step, after: first, managed: { ...step.managed, owned } };
}
