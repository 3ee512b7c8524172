import { list, map, message, names } from "../wire/descriptor.js";
import { policyRef } from "./policy.js";
import { entitlementRef } from "./scope.js";

const APP = "c1.api.app.v1";

/** Something a person can have in an app. */
export const entitlement = message(
  `${APP}.AppEntitlement`,
  {
    id: "string",
    appId: "string",
    displayName: "string",
    description: "string",
    slug: "string",
    alias: "string",
    appResourceId: "string",
    appResourceTypeId: "string",
    externalId: "string",
    matchBatonId: "string",
    purpose: names("APP_ENTITLEMENT_PURPOSE_VALUE_", "UNSPECIFIED", "ASSIGNMENT", "PERMISSION", "OWNERSHIP"),
    isAutomationEnabled: "bool",
    isManuallyManaged: "bool",
    systemBuiltin: "bool",
    grantCount: "int64",
    grantPolicyId: "string",
    revokePolicyId: "string",
    certifyPolicyId: "string",
    emergencyGrantEnabled: "bool",
    emergencyGrantPolicyId: "string",
    complianceFrameworkValueIds: list("string"),
    riskLevelValueId: "string",
    requestSchemaId: "string",
    durationUnset: message("google.protobuf.Empty", {}),
    durationGrant: "duration",
    provisionerPolicy: "free",
    deprovisionerPolicy: "free",
    annotations: map("string"),
    sourceConnectorIds: map("string"),
    overrideAccessRequestsDefaults: "bool",
    defaultValuesApplied: "bool",
    userEditedMask: "mask",
    createdAt: "timestamp",
    updatedAt: "timestamp",
    deletedAt: "timestamp",
  },
  { max_grant_duration: ["durationUnset", "durationGrant"] },
);

/** An entitlement beside the paths to what it refers to. */
export const entitlementView = message(`${APP}.AppEntitlementView`, {
  appEntitlement: entitlement,
  appPath: "string",
  appResourcePath: "string",
  appResourceTypePath: "string",
  objectPermissions: "free",
});

const page = { pageSize: "int32", pageToken: "string" } as const;

/** Asks for an app's entitlements. */
export const listEntitlementsRequest = message(`${APP}.ListAppEntitlementsRequest`, {
  appId: "string",
  ...page,
});

/** Asks for the entitlements of one resource of an app. */
export const listOfResourceRequest = message(`${APP}.ListAppEntitlementsForAppResourceRequest`, {
  appId: "string",
  appResourceTypeId: "string",
  appResourceId: "string",
  ...page,
});

/** A page of entitlements. */
export const listEntitlementsReply = message(`${APP}.ListAppEntitlementsResponse`, {
  list: list(entitlementView),
  expanded: list("any"),
  nextPageToken: "string",
});

/** A request that names one entitlement and nothing else. */
export const entitlementRequest = message(`${APP}.GetAppEntitlementRequest`, {
  appId: "string",
  id: "string",
});

/** One entitlement. */
export const entitlementReply = message(`${APP}.GetAppEntitlementResponse`, {
  appEntitlementView: entitlementView,
  expanded: list("any"),
});

/** The fields of an entitlement that a client may write, by create and by masked update. */
const written = {
  displayName: "string",
  description: "string",
  slug: "string",
  alias: "string",
  purpose: names("APP_ENTITLEMENT_PURPOSE_VALUE_", "UNSPECIFIED", "ASSIGNMENT", "PERMISSION", "OWNERSHIP"),
  durationUnset: message("google.protobuf.Empty", {}),
  durationGrant: "duration",
  grantPolicyId: "string",
  revokePolicyId: "string",
  certifyPolicyId: "string",
  emergencyGrantEnabled: "bool",
  emergencyGrantPolicyId: "string",
  riskLevelValueId: "string",
  complianceFrameworkValueIds: list("string"),
  overrideAccessRequestsDefaults: "bool",
  annotations: map("string"),
} as const;

/** Their names. */
export const WRITABLE: readonly string[] = Object.keys(written);

const durations = { max_grant_duration: ["durationUnset", "durationGrant"] } as const;

/** Makes an entitlement; what provides it has another name here than in the entitlement. */
export const createEntitlementRequest = message(
  `${APP}.CreateAppEntitlementRequest`,
  {
    appId: "string",
    appResourceTypeId: "string",
    appResourceId: "string",
    ...written,
    provisionPolicy: "free",
    appEntitlementOwnerIds: list("string", 32),
    matchBatonId: "string",
  },
  durations,
);

/** Changes the masked fields of an entitlement. */
export const updateEntitlementRequest = message(`${APP}.UpdateAppEntitlementRequest`, {
  appId: "string",
  id: "string",
  entitlement,
  updateMask: "mask",
  overrideAccessRequestsDefaults: "bool",
  expandMask: message(`${APP}.AppEntitlementExpandMask`, { paths: list("string") }),
});

/** The reply to a delete. */
export const deleteEntitlementReply = message(`${APP}.DeleteAppEntitlementResponse`, {});

/** Looks for entitlements in all apps. */
export const searchEntitlementsRequest = message(`${APP}.SearchAppEntitlementsRequest`, {
  alias: "string",
  displayName: "string",
  query: "string",
  appIds: list("string"),
  excludeAppIds: list("string"),
  appUserIds: list("string"),
  excludeAppUserIds: list("string"),
  refs: list(entitlementRef),
  excludedEntitlementRefs: list(entitlementRef),
  resourceIds: list("string"),
  resourceTypeIds: list("string"),
  excludeResourceTypeIds: list("string"),
  resourceTraitIds: list("string"),
  requestSchemaIds: list("string"),
  riskLevelIds: list("string"),
  complianceFrameworkIds: list("string"),
  policyRefs: list(policyRef),
  sourceConnectorId: "string",
  accessReviewId: "string",
  membershipType: list("string"),
  isAutomated: "bool",
  onlyGetExpiring: "bool",
  includeDeleted: "bool",
  excludeImmutable: "bool",
  expandMask: message(`${APP}.AppEntitlementExpandMask`, { paths: list("string") }),
  ...page,
});

/** A page of entitlements found. */
export const searchEntitlementsReply = message(`${APP}.SearchAppEntitlementsResponse`, {
  list: list(entitlementView),
  expanded: list("any"),
  facets: "free",
  nextPageToken: "string",
});
