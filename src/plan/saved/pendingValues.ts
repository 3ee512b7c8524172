import { formatAddress, parseAddress } from "../../model/address.js";
import { isObject, type Json } from "../../model/json.js";
import { pendingAddress, pendingId } from "../../model/pending.js";
import { keyFor, mapReferences } from "../pendingStep.js";
import type { Step } from "../step.js";

/** A step without its calls, which follow from it. */
type StepAlone = Omit<Step, "calls">;

/** A step as a plan file has it: an id that is pending is `{ "pending": "Kind/name" }`, which no text can be. */
export function withPendingValues(step: StepAlone): StepAlone {
  return mapped(step, (id) => {
    const address = typeof id === "string" ? pendingAddress(id) : null;
    return address === null ? id : { pending: formatAddress(address) };
  });
}

/** The same step in memory; null where a text of the file has the form of a pending id in the place of one. */
export function withPendingIds(step: StepAlone): StepAlone | null {
  let isForged = false;
  const read = mapped(step, (id) => {
    if (typeof id === "string") isForged ||= pendingAddress(id) !== null;
    const address = isObject(id) && typeof id.pending === "string" ? parseAddress(id.pending) : undefined;
    return address === undefined ? id : pendingId(address);
  });
  const ids: readonly Json[] = [...(read.key ?? []), ...Object.values(read.managed.meanings)];
  return isForged || ids.some((id) => typeof id !== "string") ? null : read;
}

/** A step with other values for its references, in its key and in what its names mean, too. */
function mapped(step: StepAlone, put: (id: Json) => Json): StepAlone {
  const {
    managed: { identity },
    after,
    changes,
  } = mapReferences(step, put);
  if (after === step.after && identity === step.managed.identity) return step;
  const meanings = Object.entries(step.managed.meanings).map(([name, id]) => [name, put(id)] as const);
  return {
    ...step,
    managed: {
      ...step.managed,
      identity,
      meanings: Object.fromEntries(meanings) as Step["managed"]["meanings"],
    },
    after,
    changes,
    key: keyFor(step, identity),
  };
}
