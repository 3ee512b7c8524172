import type { Kind } from "../kinds/kind.js";
import { kindFinder } from "../kinds/kindOf.js";
import { formatAddress } from "../model/address.js";
import type { Checked } from "../model/diagnostic.js";
import type { Acknowledgement } from "./acknowledge.js";
import { guard, type Watch } from "./guards.js";
import type { Finding, Plan } from "./plan.js";

/**
 * The findings of a saved plan as they stand when it is applied: every rule is asked anew, with the limits of
 * today. What the plan was acknowledged for stays so while it holds.
 */
export function findingsNow(
  plan: Plan,
  kinds: readonly Kind[],
  { limits, acknowledgements, today }: Pick<Watch, "limits" | "acknowledgements" | "today">,
): Checked<readonly Finding[]> {
  return guard(plan.steps, {
    interface: plan.interface,
    mode: plan.mode,
    kindOf: kindFinder(kinds),
    limits,
    acknowledgements: [...acknowledgements, ...plan.findings.flatMap(asGiven)],
    today,
  });
}

function asGiven({ guard: name, address, acknowledged }: Finding): readonly Acknowledgement[] {
  if (acknowledged === null) return [];
  const about = { guard: name, address: address === null ? null : formatAddress(address) };
  const { by, until, reason } = acknowledged;
  return by === "flag" ? [{ by, ...about }] : [{ by, ...about, until: until ?? "", reason: reason ?? "" }];
}
