import { message, told } from "../wire/descriptor.js";
import { SCOPE_TYPES, scope } from "./scope.js";

const REVIEW = "c1.api.accessreview.v1";

/** The states that a campaign goes through. */
export const CAMPAIGN_STATES = [
  "UNSPECIFIED",
  "OPEN",
  "CLOSED",
  "PENDING",
  "REVIEW",
  "PREPARING",
  "STARTING",
  "DRAFT",
  "DELETING",
  "DELETED",
  "RESETTING_POLICIES",
  "COPYING_SETUP_ENTITLEMENTS",
  "COPYING_RESOURCE_TYPE_SELECTIONS",
] as const;

const singleApp = message(`${REVIEW}.AccessReviewSingleAppSetup`, { appId: "string" });
const multiApp = message(`${REVIEW}.AccessReviewMultiAppSetup`, {
  appEntitlements: "free",
  appEntitlementDetails: "free",
});

/** One review: cut from a template, or made for itself. Its scope is called `scopeV2`; a template's is `scope`. */
export const campaign = message(
  `${REVIEW}.AccessReview`,
  {
    id: "string",
    displayName: "string",
    description: "string",
    accessReviewTemplateId: "string",
    createdById: "string",
    policyId: "string",
    usePolicyOverride: "bool",
    scopeType: told("ACCESS_REVIEW_SCOPE_TYPE_", ...SCOPE_TYPES),
    scopeV2: scope,
    scope: "free",
    inclusionScope: "free",
    exclusionScope: "free",
    scopingVersion: "int64",
    expectedTicketCount: "int32",
    state: told("ACCESS_REVIEW_STATE_", ...CAMPAIGN_STATES),
    errorState: told("ACCESS_REVIEW_ERROR_STATE_", "UNSPECIFIED", "SELECTION_QUOTA_EXCEED_ERROR"),
    autoStartCampaign: "bool",
    autoCloseCampaign: "bool",
    autoCloseDecision: told("CLOSE_DECISION_", "UNSPECIFIED", "REVOKED", "SKIP", "NO_ACTION"),
    autoGenerateReport: "bool",
    autoResolve: "bool",
    accuracyIssueAction: told("ACCURACY_ISSUE_ACTION_", "UNSPECIFIED", "CONTINUE", "WAIT"),
    hasAccuracySupport: "bool",
    defaultView: "string",
    reviewInstructions: "string",
    notificationConfig: "free",
    columnConfig: "free",
    signatureConfig: "free",
    reviewerAttributeConfig: "free",
    exemptCertifiedAccessConflicts: "bool",
    singleApp,
    multiApp,
    bindings: message(`${REVIEW}.AccessReviewBindingsSetup`, {}),
    campaignHealth: "free",
    campaignInsights: "free",
    scheduledStartDate: "timestamp",
    startedAt: "timestamp",
    completionDate: "timestamp",
    closedAt: "timestamp",
    connectorSourcesFrozenAt: "timestamp",
    createdAt: "timestamp",
    updatedAt: "timestamp",
  },
  { setup_metadata: ["singleApp", "multiApp", "bindings"] },
);
