import { list, map, message } from "../wire/descriptor.js";
import { entitlement } from "./entitlement.js";

const CATALOG = "c1.api.requestcatalog.v1";

/** An access profile; the service calls it a request catalog. */
export const catalog = message(`${CATALOG}.RequestCatalog`, {
  id: "string",
  displayName: "string",
  description: "string",
  published: "bool",
  requestBundle: "bool",
  visibleToEveryone: "bool",
  accessEntitlements: list(entitlement),
  enrollmentBehavior: "string",
  unenrollmentBehavior: "string",
  unenrollmentEntitlementBehavior: "string",
  createdByUserId: "string",
  annotations: map("string"),
  createdAt: "timestamp",
  updatedAt: "timestamp",
  deletedAt: "timestamp",
});

const view = message(`${CATALOG}.RequestCatalogView`, {
  requestCatalog: catalog,
  memberCount: "int64",
  accessEntitlementsPath: "string",
  createdByUserPath: "string",
});

/** Asks for the access profiles. */
export const listCatalogsRequest = message(`${CATALOG}.RequestCatalogManagementServiceListRequest`, {
  pageSize: "int32",
  pageToken: "string",
});

/** A page of access profiles. */
export const listCatalogsReply = message(`${CATALOG}.RequestCatalogManagementServiceListResponse`, {
  list: list(view),
  expanded: list("any"),
  nextPageToken: "string",
});

/** A request that names one access profile and nothing else. */
export const catalogRequest = message(`${CATALOG}.RequestCatalogManagementServiceGetRequest`, {
  id: "string",
});

/** One access profile. */
export const catalogReply = message(`${CATALOG}.RequestCatalogManagementServiceGetResponse`, {
  requestCatalogView: view,
  expanded: list("any"),
});
