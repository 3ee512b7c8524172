import { placeOf } from "../../diff/kept.js";
import { kindOf } from "../../kinds/kindOf.js";
import { byAddress } from "../../model/address.js";
import { formatPath } from "../../model/path.js";
import { changesSinceApply, isMadeAnew } from "../record/driftedFrom.js";
import type { Step } from "../step.js";
import type { Trip } from "./findings.js";

/** The deletes of objects that are no longer as the last apply left them: someone changed them, or made them anew. */
export function deletesChanged(steps: readonly Step[]): readonly Trip[] {
  return steps
    .filter(({ action, recorded: { driftedFrom } }) => action === "delete" && driftedFrom !== null)
    .toSorted((one, other) => byAddress(one.address, other.address))
    .map((step) => {
      const { address } = step;
      const changes = changesSinceApply(step, kindOf(address).shape);
      const fields = [...new Set(changes.map((change) => formatPath(placeOf(change))))];
      const message = isMadeAnew(step)
        ? "it was deleted and made anew in the tenant since the last apply, and would be deleted"
        : `${fields.join(", ")} changed in the tenant since the last apply, and the object would be deleted`;
      return { address, message, steps: [step], limits: [] };
    });
}
