import { message } from "../wire/descriptor.js";
import { times } from "./members.js";

const APP = "c1.api.app.v1";

/** An application whose access is governed. */
export const app = message(`${APP}.App`, {
  id: "string",
  displayName: "string",
  description: "string",
  appAccountId: "string",
  appAccountName: "string",
  certifyPolicyId: "string",
  connectorVersion: "int32",
  defaultRequestCatalogId: "string",
  fieldMask: "mask",
  grantPolicyId: "string",
  iconUrl: "string",
  isDirectory: "bool",
  isManuallyManaged: "bool",
  logoUri: "string",
  monthlyCostUsd: "int32",
  parentAppId: "string",
  revokePolicyId: "string",
  strictAccessEntitlementProvisioning: "bool",
  userCount: "int64",
  ...times,
});
