import { ours } from "../diff/own.js";
import { hasItems } from "../kinds/normalise.js";
import { createdWith, type StepRecord } from "../plan/record/record.js";
import { deedOf, type Step } from "../plan/step.js";
import type { ApiError } from "../tenant/client/error.js";
import type { Seen } from "../tenant/known.js";
import type { StepContext } from "./context.js";
import { withWritten, writtenBy } from "./lateParts.js";
import { recordAsFound, recordDoubt, withAddedItems } from "./settle.js";

/** The record of a step of which so many calls were answered; null where what the state has of the object stays. */
export function asFound(
  step: Step,
  seen: Seen | null,
  calls: number,
  { kind, entry, readBack, patience: { clock } }: StepContext,
): StepRecord | null {
  const applied = ours(step.after ?? {}, step.managed.owned);
  const of = { kind, isProtected: step.managed.protected };
  const deed = deedOf(step);
  const late = { written: writtenBy(step, calls, kind), at: clock.now() };
  if (entry !== null && deed !== "create" && seen?.as !== "present") {
    const doubted = readBack === null ? recordDoubt(entry, applied, kind) : null;
    return doubted ?? withAddedItems({ applied, seen, ...late }, entry, of);
  }
  const found = { ...recordAsFound(seen, applied, of), ...createdWith({ ...step.managed, deed }, kind) };
  return withWritten(found, late.written, late.at);
}

/** Where nothing can be read back, a write that may have taken effect leaves its fields in doubt. */
export function doubt(
  step: Step,
  error: ApiError,
  { kind, entry, readBack }: StepContext,
): StepRecord | null {
  if (readBack !== null || entry === null || !mayBeDone(error) || step.action === "delete") return null;
  return recordDoubt(entry, ours(step.after ?? {}, step.managed.owned), kind);
}

/** Whether the first call of an update may have added an item that no list shows. */
export function mayHaveAdded(step: Step, error: ApiError, { kind }: StepContext): boolean {
  return deedOf(step) === "update" && mayBeDone(error) && hasItems(kind);
}

function mayBeDone({ isUnanswered, status }: ApiError): boolean {
  return isUnanswered || (status !== null && status >= 500);
}
