import { list, message, told } from "../wire/descriptor.js";
import { scope } from "./scope.js";
import { setup } from "./setup.js";

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
    scopeType: told(
      "ACCESS_REVIEW_SCOPE_TYPE_",
      "UNSPECIFIED",
      "BY_ENTITLEMENTS",
      "BY_ACCESS_CONFLICTS",
      "BY_RESOURCE",
      "BY_INHERITANCE",
      "BY_USERS",
    ),
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

const view = message(`${REVIEW}.AccessReviewView`, {
  accessReview: campaign,
  createdByUserPath: "string",
  policyPath: "string",
  objectPermissions: "free",
});

/** Asks for the campaigns. */
export const listCampaignsRequest = message(`${REVIEW}.AccessReviewServiceListRequest`, {
  pageSize: "int32",
  pageToken: "string",
});

/** A page of campaigns. */
export const listCampaignsReply = message(`${REVIEW}.AccessReviewServiceListResponse`, {
  list: list(view),
  expanded: list("any"),
  nextPageToken: "string",
});

/** A request that names one campaign and nothing else. */
export const campaignRequest = message(`${REVIEW}.AccessReviewServiceGetRequest`, { id: "string" });

/** One campaign: the view is called `accessReview`, and so is the campaign in it. */
export const campaignReply = message(`${REVIEW}.AccessReviewServiceGetResponse`, {
  accessReview: view,
  expanded: list("any"),
});

/** A request that names one campaign, for its setup. */
export const campaignSetupRequest = message(`${REVIEW}.GetSetupRequest`, { accessReviewId: "string" });

/** A campaign's scope and entitlements, in the message that a template's have. */
export const campaignSetupReply = setup;
