import { list, message } from "../wire/descriptor.js";

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
  createdAt: "timestamp",
  updatedAt: "timestamp",
  deletedAt: "timestamp",
});

const page = { pageSize: "int32", pageToken: "string" } as const;

/** Asks for the apps. */
export const listAppsRequest = message(`${APP}.AppServiceListRequest`, page);

/** A page of apps. */
export const listAppsReply = message(`${APP}.AppServiceListResponse`, {
  list: list(app),
  nextPageToken: "string",
});

/** A request that names one app and nothing else. */
export const appRequest = message(`${APP}.AppServiceGetRequest`, { id: "string" });

/** One app. */
export const appReply = message(`${APP}.AppServiceGetResponse`, { app });

/** Looks for apps. */
export const searchAppsRequest = message(`${APP}.SearchAppsRequest`, {
  appIds: list("string"),
  excludeAppIds: list("string"),
  displayName: "string",
  query: "string",
  onlyDirectories: "bool",
  ...page,
});
