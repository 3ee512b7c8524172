import { configurationRules } from "../kinds/configurationRules.js";
import { customEntitlement } from "../kinds/customEntitlement.js";
import { managedApp } from "../kinds/managedApp.js";
import { policy } from "../kinds/policy.js";
import { inside, textOf } from "../kinds/spelling.js";
import { writes } from "../plan/calls.js";
import { specOf } from "../plan/guards/approvals.js";
import { writesPolicy } from "../plan/guards/policies.js";
import type { Decides, RequestsDecide } from "../plan/plan.js";
import type { Step } from "../plan/step.js";

/** A step that changes what policies or configuration rules decide, and what of it. */
interface Deciding {
  readonly as: Decides["as"];
  readonly step: Step;
}

/** The steps that change what policies or configuration rules decide. */
export function decidingIn(steps: readonly Step[]): readonly Deciding[] {
  const all = (as: Decides["as"], isOne: (step: Step) => boolean) =>
    steps.filter(isOne).map((step): Deciding => ({ as, step }));
  return [
    ...all("policy", (step) => writesPolicy(step) && step.after !== null),
    ...all("rules", changesRules),
    ...all("requests", changesRequests),
  ];
}

/** Whether a step changes the configuration rules of an app. */
export function changesRules(step: Step): boolean {
  return step.address.kind === configurationRules.name && writes(step) && step.after !== null;
}

const NONE = { low: 0, high: null };
/** What nothing was counted of. */
export const NO_REQUESTS: Omit<RequestsDecide, "address" | "uncounted"> = {
  ...{ as: "requests", entitlements: 0, people: NONE, before: NONE, after: NONE, unknown: [] },
};

const GRANT = "POLICY_TYPE_GRANT";
/** The member of an app with what its entitlements get. */
export const DEFAULTS = "requestDefaults";

/** Whether a step changes who has to agree to requests that people may make already. */
export function changesRequests(step: Step): boolean {
  const { address, key, before, after } = step;
  if (!writes(step) || key === null || before === null || after === null) return false;
  switch (address.kind) {
    case policy.name:
      return textOf(specOf(step, "after") ?? {}, "policyType") === GRANT;
    case configurationRules.name:
      return true;
    case customEntitlement.name:
      return textOf(before, "grantPolicyId") !== textOf(after, "grantPolicyId");
    case managedApp.name:
      return (
        textOf(before, "grantPolicyId") !== textOf(after, "grantPolicyId") || defaultPolicyIn(step) !== null
      );
    default:
      return false;
  }
}

/** The policy that the request defaults of an app newly write into its entitlements; null for none. */
export function defaultPolicyIn({ before, after }: Step): string | null {
  const [was, is] = [inside(before ?? {}, DEFAULTS) ?? {}, inside(after ?? {}, DEFAULTS) ?? {}];
  const named = textOf(is, "requestPolicyId");
  if (is.defaultsEnabled !== true || named === "") return null;
  return was.defaultsEnabled === true && textOf(was, "requestPolicyId") === named ? null : named;
}
