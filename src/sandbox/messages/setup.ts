import { list, message } from "../wire/descriptor.js";
import { scope } from "./scope.js";

const REVIEW = "c1.api.accessreview.v1";

/** A request that names one template and nothing else. */
export const getSetupRequest = message(`${REVIEW}.GetTemplateSetupRequest`, {
  accessReviewTemplateId: "string",
});

/** Names an entitlement to choose. */
export const setupEntitlementInput = message(`${REVIEW}.SetupEntitlementInput`, {
  appEntitlementId: "string",
  appId: "string",
});

/** Replaces a template's scope and the entitlements chosen for it. */
export const setSetupRequest = message(`${REVIEW}.SetScopeAndEntitlementsRequest`, {
  accessReviewTemplateId: "string",
  entitlements: list(setupEntitlementInput),
  expandMask: message(`${REVIEW}.SetupEntitlementExpandMask`, { paths: list("string") }),
  scope,
});

const setupEntitlement = message(`${REVIEW}.AccessReviewTemplateEntitlement`, {
  accessReviewTemplateId: "string",
  appEntitlementId: "string",
  appId: "string",
  appResourceId: "string",
  appResourceTypeId: "string",
  customPolicyId: "string",
  policyId: "string",
  tenantId: "string",
  createdAt: "timestamp",
  updatedAt: "timestamp",
  deletedAt: "timestamp",
});

/** A template's scope and the entitlements chosen for it. */
export const setup = message(`${REVIEW}.TemplateSetupResponse`, {
  expanded: list("any"),
  list: list(
    message(`${REVIEW}.AccessReviewTemplateEntitlementView`, {
      accessReviewTemplateEntitlement: setupEntitlement,
      appPath: "string",
      entitlementPath: "string",
      policyPath: "string",
    }),
  ),
  scope,
});

/** Replaces a template's scope and its choice of resource types. */
export const setScopeByResourceTypeRequest = message(`${REVIEW}.SetScopeByResourceTypeRequest`, {
  accessReviewTemplateId: "string",
  resourceTypeSelections: list(
    message(`${REVIEW}.ResourceTypeSelection`, { appId: "string", resourceTypeId: "string" }),
  ),
  scope,
});
