import { type Fields, list, type Message, map, message, names } from "../wire/descriptor.js";
import { times } from "./members.js";

const POLICY = "c1.api.policy.v1";
const ids = list("string");

// The one app or entitlement that a policy belongs to.
const scope = message(`${POLICY}.PolicyScope`, {
  appId: "string",
  appEntitlementId: "string",
  slot: names("POLICY_SCOPE_SLOT_", "UNSPECIFIED", "EMERGENCY"),
});

const own = { allowSelfApproval: "bool", requireDistinctApprovers: "bool" } as const;
const group = message(`${POLICY}.AppEntitlementReference`, { appId: "string", appEntitlementId: "string" });
const fallback: Fields = {
  fallback: "bool",
  fallbackUserIds: ids,
  fallbackGroupIds: list(group),
  isGroupFallbackEnabled: "bool",
};
const assignedUserIds = ids;

/** Whom an approval step asks; those without a fallback refuse one as an unknown field. */
const ARMS: Readonly<Record<string, Message>> = {
  users: message(`${POLICY}.UserApproval`, { userIds: list("string", 32), ...own }),
  manager: message(`${POLICY}.ManagerApproval`, { ...own, assignedUserIds, ...fallback }),
  appOwners: message(`${POLICY}.AppOwnerApproval`, own),
  group: message(`${POLICY}.AppGroupApproval`, {
    appId: "string",
    appGroupId: "string",
    ...own,
    ...fallback,
  }),
  self: message(`${POLICY}.SelfApproval`, { assignedUserIds, ...fallback }),
  entitlementOwners: message(`${POLICY}.EntitlementOwnerApproval`, { ...own, ...fallback }),
  resourceOwners: message(`${POLICY}.ResourceOwnerApproval`, { ...own, ...fallback }),
  expression: message(`${POLICY}.ExpressionApproval`, {
    expressions: ids,
    ...own,
    assignedUserIds,
    ...fallback,
  }),
  webhook: message(`${POLICY}.WebhookApproval`, { webhookId: "string" }),
  agent: message(`${POLICY}.AgentApproval`, {
    agentUserId: "string",
    agentMode: names(
      "APPROVAL_AGENT_MODE_",
      "UNSPECIFIED",
      "FULL_CONTROL",
      "CHANGE_POLICY_ONLY",
      "COMMENT_ONLY",
    ),
    agentFailureAction: names(
      "APPROVAL_AGENT_FAILURE_ACTION_",
      ...["UNSPECIFIED", "REASSIGN_TO_USERS", "REASSIGN_TO_SUPER_ADMINS", "SKIP_POLICY_STEP"],
    ),
    instructions: "string",
    policyIds: ids,
    reassignToUserIds: ids,
  }),
};

const ENDS: Readonly<Record<string, Message>> = {
  replacePolicy: message(`${POLICY}.EscalationReplacePolicy`, { policyId: "string" }),
  reassignToApprovers: message(`${POLICY}.EscalationReassign`, { approverIds: ids }),
  cancelTicket: message(`${POLICY}.EscalationCancel`, {}),
  skipStep: message(`${POLICY}.EscalationSkip`, {}),
};

const escalation = message(
  `${POLICY}.Escalation`,
  { expiration: "int64", escalationComment: "string", ...ENDS },
  { escalation_policy: Object.keys(ENDS) },
);

const approval = message(
  `${POLICY}.Approval`,
  {
    ...ARMS,
    allowReassignment: "bool",
    allowedReassignees: ids,
    allowDelegation: "bool",
    requireApprovalReason: "bool",
    requireDenialReason: "bool",
    requireReassignmentReason: "bool",
    requiresStepUpProviderId: "string",
    escalationEnabled: "bool",
    escalation,
    assigned: "bool",
  },
  { typ: Object.keys(ARMS) },
);

const UNTIL: Readonly<Record<string, Message>> = {
  condition: message(`${POLICY}.WaitCondition`, { condition: "string" }),
  duration: message(`${POLICY}.WaitDuration`, { duration: "duration" }),
  untilTime: message(`${POLICY}.WaitUntilTime`, { hours: "int32", minutes: "int32", timezone: "string" }),
};

const STEPS: Fields = {
  accept: message(`${POLICY}.Accept`, { acceptMessage: "string" }),
  reject: message(`${POLICY}.Reject`, { rejectMessage: "string" }),
  approval,
  wait: message(
    `${POLICY}.Wait`,
    {
      name: "string",
      commentOnFirstWait: "string",
      commentOnTimeout: "string",
      timeoutDuration: "duration",
      ...UNTIL,
    },
    { until: Object.keys(UNTIL) },
  ),
  form: "free",
  provision: "free",
  action: "free",
};

const step = message(`${POLICY}.PolicyStep`, STEPS, { step: Object.keys(STEPS) });

/** What a create takes, and the mask of an update may name; a scope only the create. */
export const writtenToPolicy = {
  displayName: "string",
  description: "string",
  policyType: names(
    "POLICY_TYPE_",
    "UNSPECIFIED",
    "GRANT",
    "REVOKE",
    "CERTIFY",
    "ACCESS_REQUEST",
    "PROVISION",
  ),
  policySteps: map(message(`${POLICY}.PolicySteps`, { steps: list(step) })),
  rules: list(
    message(
      `${POLICY}.Rule`,
      { condition: "string", stepKey: "string", policyKey: "string", policyId: "string" },
      { outcome: ["stepKey", "policyId"] },
    ),
    16,
  ),
  baselinePolicyId: "string",
  postActions: list(message(`${POLICY}.PolicyPostAction`, { certifyRemediateImmediately: "bool" })),
} as const satisfies Fields;

/** What is done about a request, a revocation or a review. */
export const policy = message(`${POLICY}.Policy`, {
  id: "string",
  ...writtenToPolicy,
  reassignTasksToDelegates: "bool",
  scope,
  systemBuiltin: "bool",
  ...times,
});

/** What only a create takes. */
export const createOnlyOfPolicy = { scope } as const;

/** Names a policy. */
export const policyRef = message(`${POLICY}.PolicyRef`, { id: "string" });
