import { givenBack } from "../../diff/own.js";
import type { Kind } from "../../kinds/kind.js";
import { formatAddress, withoutKey } from "../../model/address.js";
import { same } from "../../model/json.js";
import type { Entry } from "../../state/snapshot.js";
import { writes } from "../calls.js";
import { deedOf, type Step } from "../step.js";

/** The code of the note that a step removes a protection beside what else it does. */
export const UNPROTECTED = "plan/unprotected";

/** Whether a step leaves a record of its object. */
export function leavesRecord(step: Pick<Step, "action" | "replaces">): boolean {
  return deedOf(step) === "adopt" || (writes(step) && deedOf(step) !== "delete");
}

/** Whether a step removes the protection of an object, and its reason does not say so. */
export function isHiddenRelease(
  step: Pick<Step, "action" | "replaces" | "reason" | "managed">,
  entry: Entry | null,
): boolean {
  const isReleased = leavesRecord(step) && entry?.protected === true && !step.managed.protected;
  return isReleased && step.reason !== "protection changed";
}

/** Whether a step shows all that it changes in the state: a protection, an address, and fields that are given back. */
export function showsWhatItRecords(step: Step, { shape }: Pick<Kind, "shape">, entry: Entry | null): boolean {
  if (!leavesRecord(step) || entry === null) return true;
  if (isHiddenRelease(step, entry) && !step.diagnostics.some(({ code }) => code === UNPROTECTED))
    return false;
  const address = step.key === null ? step.address : withoutKey(step.address, step.key);
  const isRenamed = formatAddress(entry.address) !== formatAddress(address);
  if (!same(step.recorded.renamedFrom, isRenamed ? entry.address : null)) return false;
  const isNew = deedOf(step) === "create" && step.before === null;
  return same(step.recorded.givenBack, isNew ? [] : givenBack(entry.applied, step.managed.owned, shape));
}
