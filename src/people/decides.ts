import { isLive } from "../kinds/interface.js";
import type { Counting } from "../plan/people/impact.js";
import type { Decides, Plan, Policies } from "../plan/plan.js";
import type { Step } from "../plan/step.js";
import { totalOf } from "../tenant/known.js";
import type { Tenant } from "../tenant/tenant.js";
import { decidingIn, NO_REQUESTS } from "./deciding.js";

/** What the policies and rules decide that a plan writes, and how many calls it took to read that. */
interface Read {
  readonly decides: readonly Decides[];
  readonly calls: number;
}

/** What is decided by what a plan writes, counted within a number of calls. `seen` are its steps with what was seen. */
export async function countDecided(
  plan: Plan & { readonly policies: Policies },
  tenant: Tenant | null,
  counting: Counting | null,
  seen: readonly Step[] = plan.steps,
): Promise<Read> {
  const { steps, interface: found } = plan;
  const all = decidingIn(steps);
  if (all.length === 0) return { decides: [], calls: 0 };
  const isCounted = ({ step }: Pick<(typeof all)[number], "step">) =>
    counting !== null && isLive(found.kinds, step.address.kind);
  const why = plan.mode.offline ? OFFLINE : counting === null ? NOT_ASKED : NOT_SHOWN;
  const notCounted = all
    .filter((one) => !isCounted(one))
    .map(({ as, step: { address } }): Decides => ({ ...NOTHING[as], address, uncounted: why }));
  if (tenant === null || counting === null || notCounted.length === all.length)
    return { decides: notCounted, calls: 0 };
  const counted = (kind: Decides["as"]) =>
    all.filter((one) => one.as === kind && isCounted(one)).map(({ step }) => step);
  // Few plans change what decides.
  const { readPeople } = await import("../tenant/people.js");
  const { policiesDecide } = await import("./policiesDecide.js");
  const { rulesDecide } = await import("./rulesDecide.js");
  const { requestsDecided } = await import("./requestsDecided.js");
  const reader = tenant.reader();
  const reads = readPeople(reader, counting.calls);
  const [policies, rules, requests] = await Promise.all([
    policiesDecide(counted("policy"), seen, reads),
    Promise.all(counted("rules").map((step) => rulesDecide(step, steps, reads, counting.evaluate))),
    requestsDecided(counted("requests"), plan, reads, counting),
  ]);
  return { decides: [...policies, ...rules, ...requests, ...notCounted], calls: totalOf(reader.calls()) };
}

const OFFLINE = "an offline plan reads nothing";
const NOT_ASKED = "`--impact off` counts nothing";
const NOT_SHOWN = "the interface `core` does not show them";

/** What nothing was counted of. */
const NOTHING = {
  policy: { as: "policy", entitlements: null, noApprover: [], notKnown: [] },
  rules: { as: "rules", isOpen: false, rules: [] },
  requests: NO_REQUESTS,
} as const;
