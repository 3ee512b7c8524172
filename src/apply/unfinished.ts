import { ours } from "../diff/own.js";
import type { Observed } from "../kinds/kind.js";
import { hasItems } from "../kinds/normalise.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { createdWith, type StepRecord } from "../plan/record/record.js";
import { deedOf, type Step } from "../plan/step.js";
import type { ApiError } from "../tenant/client/error.js";
import type { Seen } from "../tenant/known.js";
import { INACCURACY } from "../tenant/madeBy.js";
import { say } from "../words/say.js";
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

/** What a step says of a call that failed, and what to do next. */
export function failedBy(error: ApiError, { managed: { span } }: Pick<Step, "managed">): Diagnostic {
  const id = error.requestId === null ? "" : ` (request ${error.requestId})`;
  return say("apply/failed", { message: error.message, id, next: adviceOn(error) }, { span });
}

function adviceOn({ status, progress, call }: ApiError): string {
  if (status === 401 || status === 403) {
    return "Check the credentials and their role in the tenant; `remit config` shows which are used.";
  }
  if (status === 404) return "The object in its URL does not exist: check the ids.";
  if (status === 409 && call.effect === "once") {
    return "Usually this means that the object already exists. If the service can be read, a plan with `--interface full` adopts it. Otherwise remove its manifest, and leave the object as it is.";
  }
  if (status !== null && status < 400) {
    return "Something else answers in the service's place: check the server's address, and proxies. Then plan again.";
  }
  if (status !== null && status < 500 && status !== 429)
    return "Change the manifest as the service asks, and apply again.";
  if (progress === "never sent")
    return "Nothing was changed. Check that the server can be reached, and apply again.";
  if (call.effect === "once") return "Read the service's message, fix the cause, then apply again.";
  return "Apply again: the write may be repeated without harm.";
}

/**
 * When the object was made that the create of a step replaced; null where it replaced none. A service that replaces what
 * exists keeps its `createdAt`, so that the reply to the create shows an object older than the request. What the plan
 * shows as `before` is replaced on purpose. `leftAt` is when the create left for the first time.
 */
export function replacedBy(
  { action, before }: Step,
  observed: Observed | undefined,
  leftAt: number | null,
  { service, patience }: Pick<StepContext, "service" | "patience">,
): string | null {
  if (action !== "create" || before !== null || leftAt === null || observed?.createdAt === undefined) {
    return null;
  }
  const requested = service.serverTime() - (patience.clock.elapsed() - leftAt);
  return Date.parse(observed.createdAt) < requested - INACCURACY ? observed.createdAt : null;
}
