import { list, map, message, names, told } from "../wire/descriptor.js";
import { times } from "./members.js";

const POLICY = "c1.api.policy.v1";

// The one app or entitlement that a policy belongs to.
const scope = message(`${POLICY}.PolicyScope`, {
  appId: "string",
  appEntitlementId: "string",
  slot: names("POLICY_SCOPE_SLOT_", "UNSPECIFIED", "EMERGENCY"),
});

/** What is done about a request, a revocation or a review. */
export const policy = message(`${POLICY}.Policy`, {
  id: "string",
  displayName: "string",
  description: "string",
  policyType: told(
    "POLICY_TYPE_",
    "UNSPECIFIED",
    "GRANT",
    "REVOKE",
    "CERTIFY",
    "ACCESS_REQUEST",
    "PROVISION",
  ),
  policySteps: map("free"),
  postActions: list("any"),
  reassignTasksToDelegates: "bool",
  rules: list("any"),
  scope,
  systemBuiltin: "bool",
  ...times,
});

/** Names a policy. */
export const policyRef = message(`${POLICY}.PolicyRef`, { id: "string" });
