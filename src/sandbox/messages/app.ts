import { list, map, message, names } from "../wire/descriptor.js";
import { times } from "./members.js";

const APP = "c1.api.app.v1";

/** The fields of an app that a create takes; a masked update takes what pairs accounts with people, too. */
export const written = {
  displayName: "string",
  description: "string",
  instructions: "string",
  grantPolicyId: "string",
  revokePolicyId: "string",
  certifyPolicyId: "string",
  identityMatching: names("APP_USER_IDENTITY_MATCHING_", "UNSPECIFIED", "STRICT", "DISPLAY_NAME", "CUSTOM"),
  monthlyCostUsd: "int32",
  strictAccessEntitlementProvisioning: "bool",
  revokeGrantSources: "bool",
  annotations: map("string"),
} as const;

const mappingCase = message(`${APP}.MappingCase`, {
  appId: "string",
  caseIndex: "int32",
  appUserKeyCel: "string",
  userKeyCel: "string",
});

/** An application whose access is governed. */
export const app = message(`${APP}.App`, {
  id: "string",
  ...written,
  appUserMapper: message(`${APP}.AppUserMapper`, { mappingCases: list(mappingCase) }),
  appAccountId: "string",
  appAccountName: "string",
  connectorVersion: "int32",
  defaultRequestCatalogId: "string",
  fieldMask: "mask",
  iconUrl: "string",
  isDirectory: "bool",
  isManuallyManaged: "bool",
  logoUri: "string",
  parentAppId: "string",
  userCount: "int64",
  ...times,
});

/** A class of things in one app. */
export const resourceType = message("c1.api.app.v1.AppResourceType", {
  id: "string",
  appId: "string",
  displayName: "string",
  traitIds: list("string"),
  ...times,
});
