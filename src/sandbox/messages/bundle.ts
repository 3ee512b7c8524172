import { list, message, told } from "../wire/descriptor.js";
import { entitlementRef } from "./scope.js";

const CATALOG = "c1.api.requestcatalog.v1";

/** The members of which the automation of a profile has at most one. */
export const BUNDLE_CONDITIONS = ["entitlements", "cel"] as const;

const conditions = { conditions: BUNDLE_CONDITIONS } as const;

const written = {
  enabled: "bool",
  createTasks: "bool",
  disableCircuitBreaker: "bool",
  enforceOnSmallProfiles: "bool",
  removedMembersThresholdPercent: "int64",
  entitlements: message(`${CATALOG}.BundleAutomationRuleEntitlement`, {
    entitlementRefs: list(entitlementRef),
  }),
  cel: message(`${CATALOG}.BundleAutomationRuleCEL`, { expression: "string" }),
} as const;

/** The fields of an automation that a client writes, all at once. */
export const BUNDLE_FIELDS: readonly string[] = Object.keys(written);

/** The automation of an access profile: no envelope is around it. */
export const bundle = message(
  `${CATALOG}.BundleAutomation`,
  {
    requestCatalogId: "string",
    tenantId: "string",
    ...written,
    state: message(`${CATALOG}.BundleAutomationRunState`, {
      status: told(
        "BUNDLE_AUTOMATION_RUN_STATUS_",
        "UNSPECIFIED",
        "SUCCESS",
        "FAILURE",
        "IN_PROGRESS",
        "WAITING_FOR_APPROVAL",
      ),
      errorMessage: "string",
      lastRunAt: "timestamp",
    }),
    createdAt: "timestamp",
    updatedAt: "timestamp",
    deletedAt: "timestamp",
  },
  conditions,
);

/** Asks for the automation of one access profile. */
export const bundleRequest = message(`${CATALOG}.GetBundleAutomationRequest`, { requestCatalogId: "string" });

/** Sets the automation of one access profile as a whole. */
export const setBundleRequest = message(
  `${CATALOG}.SetBundleAutomationRequest`,
  { requestCatalogId: "string", ...written },
  conditions,
);

/** The reply to a delete. */
export const deleteBundleReply = message(`${CATALOG}.DeleteBundleAutomationResponse`, {});
