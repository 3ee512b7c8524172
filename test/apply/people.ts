import { evaluateInTime } from "../../src/cli/world/process.js";
import type { Counting } from "../../src/plan/people/impact.js";

/** How people are counted: with names, and with calls to spare. */
export const COUNTING: Counting = {
  about: "changes",
  calls: 400,
  names: true,
  evaluate: evaluateInTime(),
  today: new Date("2026-01-01"),
};

/** A user of a seed, whose name is the e-mail address's first part. */
export function user(name: string, department: string, jobTitle: string) {
  return { email: `${name.toLowerCase()}@x.test`, name, department, jobTitle };
}

/** A seed with the groups Tax and Law, and a rule for Tax that the service has carried out. */
export function taxSeed(users: readonly object[]) {
  return {
    apps: [
      {
        name: "C1",
        types: [{ name: "Group", kind: "GROUP", resources: ["Tax", "Law"], entitlements: ["Member"] }],
      },
    ],
    users,
    automations: [{ entitlement: "C1/c1-tax-member", name: "Tax", cel: 'subject.department == "Tax"' }],
    members: [{ entitlement: "C1/c1-tax-member", departments: ["Tax"] }],
  };
}

/** The rule of a group as a manifest. */
export function groupRule(expression: string, group = "tax"): string {
  return `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: ${group} }
spec:
  appId: { name: C1 }
  appEntitlementId: { alias: c1-${group}-member }
  displayName: Tax
  cel: { expression: '${expression}' }
`;
}
