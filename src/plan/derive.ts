import type { Kind } from "../kinds/kind.js";
import { kindFinder } from "../kinds/kindOf.js";
import { formatAddress } from "../model/address.js";
import { callsAhead, estimate } from "./estimate.js";
import { guardPlan } from "./guards.js";
import { namesFor } from "./names.js";
import { type Finding, type Plan, pendingIn } from "./plan.js";
import { NO_SETTINGS } from "./proposal.js";
import type { Step } from "./step.js";

/**
 * A plan that was read, with what follows from its steps derived again: findings, and the calls of an apply with their
 * time. What it says of objects that are not in its steps is left out. Every step must be of a known kind.
 */
export function derive(plan: Plan, kinds: readonly Kind[]): Plan {
  const { steps, interface: found, mode, limits } = plan;
  const kindOf = kindFinder(kinds);
  const all = [...steps, ...pendingIn(plan)];
  const addresses = new Set(all.map(({ address }) => formatAddress(address)));
  const isLive = ({ address }: Step) => found.kinds[address.kind]?.source === "live";
  const ahead = callsAhead(steps, isLive, kindOf, mode.refreshOnly ? "at once" : "later");
  const watch = {
    interface: found,
    mode,
    kindOf,
    limits,
    acknowledgements: [],
    today: "",
    settings: NO_SETTINGS,
    pending: pendingIn(plan),
  };
  return {
    ...plan,
    findings: guardPlan(plan, watch).map((finding) => answered(finding, plan.findings)),
    rewritten: plan.rewritten.filter(({ address }) => addresses.has(formatAddress(address))),
    names: namesFor(all, new Map(Object.entries(plan.names)), kindOf),
    calls: { made: plan.calls.made, ahead },
    estimate: estimate(ahead, plan.estimate.width),
  };
}

/** With the acknowledgement that the plan says there was, or that was proposed; it has no effect where the plan is applied. */
function answered(finding: Finding, stored: readonly Finding[]): Finding {
  const same = stored.find(({ guard, hash }) => guard === finding.guard && hash === finding.hash);
  const acknowledged = same?.acknowledged ?? null;
  const isOfIt = acknowledged === null || acknowledged.of === null || acknowledged.of === finding.hash;
  return { ...finding, acknowledged: isOfIt ? acknowledged : null, proposed: same?.proposed ?? [] };
}
