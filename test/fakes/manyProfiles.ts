import { C1_APP_ID, EMPTY_TENANT } from "../../src/sandbox/tenant/tenant.js";
import type { Many } from "./many.js";

const GROUP = "2profilesGroup0000000000000";
const ROLES = ["2profilesRoleReader00000000", "2profilesRoleWriter00000000"];
const POLICY = "2profilesPolicyJoin00000000";

/** A tenant with a group, two roles and a policy, and so many access profiles, each of which takes six calls. */
export function makeManyProfiles(size: number): Many {
  const entitlement = (id: string) => ({ appId: C1_APP_ID, id, displayName: id });
  return {
    tenant: {
      ...EMPTY_TENANT,
      open: false,
      apps: [{ id: C1_APP_ID, displayName: "C1" }],
      entitlements: [GROUP, ...ROLES].map(entitlement),
      policies: [{ id: POLICY, displayName: "Join", policyType: "POLICY_TYPE_GRANT" }],
    },
    wanted: (round) =>
      Array.from({ length: size }, (_, place) => ({
        kind: "AccessProfile",
        name: `profile${place}`,
        spec: {
          displayName: `Profile ${place}.${round}`,
          published: true,
          enrollment: { grantPolicyId: { name: "Join" }, durationGrant: "30d" },
          requestableEntries: ROLES.map((id) => ({ appId: C1_APP_ID, id })),
          visibilityBindings: [{ appId: C1_APP_ID, id: GROUP }],
          bundleAutomation: { enabled: true, cel: { expression: 'subject.department == "IT"' } },
        },
      })),
  };
}
