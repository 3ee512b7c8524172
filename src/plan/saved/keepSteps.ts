import { formatAddress } from "../../model/address.js";
import { callsAhead, estimate } from "../estimate.js";
import { awaitedBy } from "../pendingStep.js";
import type { Planned } from "../plan.js";
import type { Step } from "../step.js";

/** The plan with only some of its steps, and with all that it says about the others left out. */
export function keepSteps(plan: Planned, keeps: (step: Step) => boolean): Planned {
  const kept = plan.steps.filter(keeps);
  const names = new Set(kept.map(({ address }) => formatAddress(address)));
  const isKept = (address: Step["address"]) => names.has(formatAddress(address));
  const steps = kept.map((step) => {
    // What a ring awaits is named by its last write, whether it is done or not.
    const awaited = new Set(awaitedBy(step));
    return {
      ...step,
      needs: step.needs.filter(isKept),
      follows: step.follows.filter((one) => isKept(one) || awaited.has(one)),
    };
  });
  const ahead = callsAhead(steps, plan.interface.kinds, "later");
  return {
    ...plan,
    steps,
    findings: plan.findings.filter(({ address, own }) =>
      address === null ? own === undefined : isKept(address),
    ),
    impact: plan.impact && {
      ...plan.impact,
      steps: plan.impact.steps.filter(({ address }) => isKept(address)),
      follow: plan.impact.follow.filter(({ asksFor }) => asksFor.some(isKept)),
      unknownAttributes: plan.impact.unknownAttributes.filter(({ address }) => isKept(address)),
      withoutPeople: plan.impact.withoutPeople.filter(({ address }) => isKept(address)),
      ...(plan.impact.conflicts && {
        conflicts: plan.impact.conflicts.filter(({ movedBy }) => movedBy.some(isKept)),
      }),
      uncounted: plan.impact.uncounted.filter(({ address }) => isKept(address)),
    },
    ...(plan.decides && { decides: plan.decides.filter(({ address }) => isKept(address)) }),
    rewritten: plan.rewritten.filter(({ address }) => isKept(address)),
    calls: { made: plan.calls.made, ahead },
    estimate: estimate(ahead, plan.estimate.width),
  };
}
