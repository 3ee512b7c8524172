import { placeOf } from "../../diff/kept.js";
import { kindOf } from "../../kinds/index.js";
import { byAddress, formatAddress } from "../../model/address.js";
import { formatPath } from "../../model/path.js";
import { say } from "../../words/say.js";
import type { Holdings, PlanImpact } from "../people/impact.js";
import { changesSinceApply, isMadeAnew } from "../record/driftedFrom.js";
import type { Step } from "../step.js";
import type { Trip, Watch } from "./findings.js";

/** Whether a plan deletes an object that takes others with it: what goes with it then has to be counted. */
export function takesOthers(steps: readonly Step[]): boolean {
  return steps.some((step) => isCounted(step));
}

/** The deletes that take an unknown number of objects, grants or people with them. */
export function deletesUnknown(steps: readonly Step[], { impact }: Pick<Watch, "impact">): readonly Trip[] {
  return steps
    .filter((step) => isCounted(step))
    .toSorted((one, other) => byAddress(one.address, other.address))
    .flatMap((step): readonly Trip[] => {
      const why = whyUnknown(step, impact);
      if (why === null) return [];
      const { message } = say("guard/deletes-unknown", { why });
      return [{ address: step.address, message, steps: [step], limits: [] }];
    });
}

function isCounted({ action, address }: Step): boolean {
  const { holdsOthers, isPrunedByName } = kindOf(address);
  return action === "delete" && holdsOthers && isPrunedByName !== true;
}

function whyUnknown({ address }: Step, impact: PlanImpact | null): string | null {
  if (impact === null) return "nothing was counted";
  const name = formatAddress(address);
  const found = impact.steps.find((one) => one.as === "holdings" && formatAddress(one.address) === name);
  if (found?.as !== "holdings")
    return impact.uncounted.find((one) => formatAddress(one.address) === name)?.why ?? "it was not counted";
  if (isKnown(found)) return null;
  if (countsFewer(found)) return "the service counts fewer grants than it lists";
  const [failed] = impact.failed;
  return failed === undefined ? "not all of it could be read" : `not all ${failed.what} could be read`;
}

/** Whether all was read, and the count of the service is smaller than what was found. */
function countsFewer({ resources, entitlements, automations, people }: Holdings): boolean {
  return (
    [resources, entitlements, automations].every((extent) => extent?.isAll === true) && people.high !== null
  );
}

function isKnown(found: Holdings): boolean {
  const { resources, entitlements, automations, grants, people } = found;
  const isRead = [resources, entitlements, automations, grants].every((extent) => extent?.isAll === true);
  return isRead && people.high !== null;
}

/** The deletes of objects that are no longer as the last apply left them: someone changed them, or made them anew. */
export function deletesChanged(steps: readonly Step[]): readonly Trip[] {
  return steps
    .filter(({ action, recorded: { driftedFrom } }) => action === "delete" && driftedFrom !== null)
    .toSorted((one, other) => byAddress(one.address, other.address))
    .map((step) => {
      const { address } = step;
      const changes = changesSinceApply(step, kindOf(address).shape);
      const fields = [...new Set(changes.map((change) => formatPath(placeOf(change))))];
      const { message } = isMadeAnew(step)
        ? say("guard/deletes-changed#anew")
        : say("guard/deletes-changed#changed", { fields });
      return { address, message, steps: [step], limits: [] };
    });
}
