import { list, message } from "../wire/descriptor.js";
import { times } from "./members.js";
import { scope } from "./scope.js";

const REVIEW = "c1.api.accessreview.v1";

const setupEntitlement = message(`${REVIEW}.AccessReviewTemplateEntitlement`, {
  accessReviewTemplateId: "string",
  appEntitlementId: "string",
  appId: "string",
  appResourceId: "string",
  appResourceTypeId: "string",
  customPolicyId: "string",
  policyId: "string",
  tenantId: "string",
  ...times,
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
