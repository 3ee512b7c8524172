import { isAskedBlind, LIVE } from "../../kinds/interface.js";
import { policy } from "../../kinds/policy.js";
import { readPolicies } from "../../plan/guards/policies.js";
import type { Planned, Policies } from "../../plan/plan.js";
import type { Request } from "../../plan/request.js";
import type { Snapshot } from "../../state/snapshot.js";
import type { Client } from "../../tenant/client/client.js";
import { makeTenant } from "../../tenant/tenant.js";

/**
 * The policies behind a saved plan as they stand now: whether to look for them follows from the request. What the plan says
 * of them counts only where the tenant does not show any policy.
 */
export async function policiesNow(
  plan: Planned,
  { tenant }: Pick<Request, "tenant">,
  snapshot: Snapshot | null,
  client: Client | null,
): Promise<Policies> {
  const kinds = isAskedBlind(tenant.interface, policy.name) ? {} : { [policy.name]: LIVE };
  const known = { current: { objects: new Map(), policies: null }, snapshot };
  const look = { ...plan, interface: { ...plan.interface, kinds } };
  const { policies, isRead } = await readPolicies(
    look,
    { known },
    client === null ? null : makeTenant(client),
  );
  if (isRead) return policies;
  const names = Object.entries(policies);
  return Object.fromEntries(names.map(([id, now]) => [id, now ?? plan.policies?.[id] ?? null]));
}
