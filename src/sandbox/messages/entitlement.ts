import { list, map, message, names } from "../wire/descriptor.js";
import { times } from "./members.js";

const APP = "c1.api.app.v1";

/** The fields of an entitlement that a client may write, by create and by masked update. */
export const written = {
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
    purpose: written.purpose,
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
    durationUnset: written.durationUnset,
    durationGrant: "duration",
    provisionerPolicy: "free",
    deprovisionerPolicy: "free",
    annotations: map("string"),
    sourceConnectorIds: map("string"),
    overrideAccessRequestsDefaults: "bool",
    defaultValuesApplied: "bool",
    userEditedMask: "mask",
    ...times,
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
