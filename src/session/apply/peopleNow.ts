import type { Client } from "../../api/client.js";
import { kinds } from "../../kinds/index.js";
import { kindFinder } from "../../kinds/kindOf.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { limitsPeople } from "../../plan/guards/people.js";
import type { PlanImpact } from "../../plan/people/impact.js";
import type { Plan } from "../../plan/plan.js";
import type { Request } from "../../reconcile.js";
import { countPeople } from "../people/count.js";

/**
 * What a saved plan means for people now. It is counted again where a limit in people is in force: what the plan says of
 * people answers for no limit.
 */
export async function peopleNow(
  plan: Plan,
  { rules, optional: { counting } }: Pick<Request, "rules" | "optional">,
  client: Client | null,
): Promise<PlanImpact | null> {
  if (!limitsPeople(rules.limits)) return plan.impact;
  if (client === null || counting === null) return null;
  return countPeople(plan, kindFinder(kinds), client, counting);
}

/** Where more people lose access than a saved plan shows: one error for each step. */
export function grown(plan: Plan, now: PlanImpact | null): readonly Diagnostic[] {
  return (now?.steps ?? []).flatMap((step): readonly Diagnostic[] => {
    const name = formatAddress(step.address);
    const shown = plan.impact?.steps.find(({ address }) => formatAddress(address) === name);
    if (step.as !== "members" || shown?.as !== "members") return [];
    const [then, most] = [shown.loses.high, step.loses.high];
    if (then === null || most === null || most <= then) return [];
    const message = `${name}: up to ${most} people may lose access now, and the plan shows up to ${then}`;
    const hint = "Nothing was applied. Make the plan again, and review who loses access.";
    return [{ code: "impact/grew", severity: "error", message, hint }];
  });
}
