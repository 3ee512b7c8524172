import { list, map, message, names } from "../wire/descriptor.js";
import { times } from "./members.js";
import { SCOPE_TYPES, scope } from "./scope.js";

const REVIEW = "c1.api.accessreview.v1";

const recurrenceRule = message(
  `${REVIEW}.RecurrenceRule`,
  {
    frequency: names("FREQUENCY_", "UNSPECIFIED", "NONE", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"),
    interval: "int32",
    startDate: "timestamp",
    endDate: "timestamp",
    occurrences: "int32",
  },
  { end_condition: ["endDate", "occurrences"] },
);

const notificationConfig = message(`${REVIEW}.AccessReviewNotificationConfig`, {
  sendKickoff: "bool",
  sendReminders: "bool",
  sendClose: "bool",
});

const COLUMNS = names(
  "ACCESS_REVIEW_TASK_COLUMN_",
  ...["UNSPECIFIED", "VIEW_LINK", "CURRENT_STATE", "ACCOUNT", "ACCOUNT_OWNER", "ENTITLEMENT"],
  ...["ENTITLEMENT_DESCRIPTION", "RESOURCE", "RESOURCE_TYPE", "INSIGHTS", "RECOMMENDATION", "ASSIGNED_TO"],
  ...["STATUS", "APP", "DUE", "PROJECT", "CREATED_ON", "TASK_AGE", "RESOLVED_ON", "ENROLLMENT_STATUS"],
  ...["INHERITED_FROM", "DEPARTMENT", "JOB_TITLE", "CREATED_BY", "LAST_LOGIN", "RESOURCE_PARENT"],
  ...["RESOURCE_CHILDREN", "APP_USER_USERNAME", "ACCESS_HOLDER_TYPE", "RISK_LEVEL", "COMPLIANCE_FRAMEWORK"],
);

const columnConfig = message(`${REVIEW}.AccessReviewColumnConfig`, {
  columns: list(COLUMNS),
  orderedColumns: list(
    message(
      `${REVIEW}.AccessReviewTaskColumnRef`,
      { builtin: COLUMNS, appUserAttributeKey: "string" },
      { column: ["builtin", "appUserAttributeKey"] },
    ),
  ),
});

const signatureConfig = message(`${REVIEW}.AccessReviewSignatureConfig`, {
  requireSignature: "bool",
  meaningOfSignature: "string",
  stepUpProviderId: "string",
  tspUrl: "string",
});

const reviewerAttributeConfig = message(`${REVIEW}.ReviewerAttributeConfig`, {
  bindings: list(message(`${REVIEW}.ReviewerAttributeBinding`, { appId: "string", attributeKey: "string" })),
});

const slackChannel = message(`${REVIEW}.SlackChannel`, {
  name: "string",
  isChannelId: "bool",
  channelId: "string",
  description: "string",
});

/** The fields of a template that a client may write, by create and by masked update. */
export const written = {
  displayName: "string",
  description: "string",
  policyId: "string",
  accessReviewDuration: "duration",
  scopeType: names("ACCESS_REVIEW_SCOPE_TYPE_", ...SCOPE_TYPES),
  scope,
  defaultView: names(
    "ACCESS_REVIEW_VIEW_TYPE_",
    "UNSPECIFIED",
    "BY_APP",
    "BY_USER",
    "UNSTRUCTURED",
    "BY_RESOURCE",
  ),
  recurrenceRule,
  notificationConfig,
  columnConfig,
  signatureConfig,
  reviewerAttributeConfig,
  reviewInstructions: "string",
  accuracyIssueAction: names("ACCURACY_ISSUE_ACTION_", "UNSPECIFIED", "CONTINUE", "WAIT"),
  annotations: map("string"),
  autoStartCampaign: "bool",
  autoCloseCampaign: "bool",
  autoCloseDecision: names("CLOSE_DECISION_", "UNSPECIFIED", "REVOKED", "SKIP", "NO_ACTION"),
  autoGenerateReport: "bool",
  exemptCertifiedAccessConflicts: "bool",
  isCampaignScheduleEnabled: "bool",
  usePolicyOverride: "bool",
} as const;

/** A reusable recipe that reviews are cut from. */
export const template = message(`${REVIEW}.AccessReviewTemplate`, {
  id: "string",
  ...written,
  inclusionScope: "free",
  nextScheduledCampaignAt: "timestamp",
  occurrences: "int32",
  slackChannel,
  ...times,
});
