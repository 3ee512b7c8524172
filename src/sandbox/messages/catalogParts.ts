import { list, message } from "../wire/descriptor.js";
import { entitlementView } from "./entitlement.js";
import { entitlementRef } from "./scope.js";

const SERVICE = "c1.api.requestcatalog.v1.RequestCatalogManagementService";

/** Asks for entitlements of one access profile, page by page. */
export const listPartsRequest = message(`${SERVICE}ListEntitlementsRequest`, {
  catalogId: "string",
  pageSize: "int32",
  pageToken: "string",
});

/** A page of entitlements of an access profile. */
export const listPartsReply = message(`${SERVICE}ListEntitlementsResponse`, {
  list: list(entitlementView),
  expanded: list("any"),
  nextPageToken: "string",
});

/** Asks for the ids of all entries. */
export const entryIdsRequest = message(`${SERVICE}ListEntitlementIDsPerCatalogRequest`, {
  catalogId: "string",
});

/** The ids of all entries, on one page. */
export const entryIdsReply = message(`${SERVICE}ListEntitlementIDsPerCatalogResponse`, {
  refs: list(entitlementRef),
});

/** Names entitlements that are the entries from now on, or no longer entries. */
export const entriesRequest = message(`${SERVICE}UpdateAppEntitlementsRequest`, {
  catalogId: "string",
  appEntitlements: list(entitlementRef),
});

/** Names entitlements that are entries, too; whether people who are enrolled get requests for them acts once. */
export const addEntriesRequest = message(`${SERVICE}AddAppEntitlementsRequest`, {
  catalogId: "string",
  appEntitlements: list(entitlementRef),
  createRequests: "bool",
});

/** Names entitlements whose holders see the profile, or no longer see it. */
export const bindingsRequest = message(`${SERVICE}AddAccessEntitlementsRequest`, {
  catalogId: "string",
  accessEntitlements: list(entitlementRef),
});
