import { list, map, message, names } from "../wire/descriptor.js";
import { entitlement } from "./entitlement.js";

const CATALOG = "c1.api.requestcatalog.v1";

const ENROLLING = "REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_";
const LEAVING = "REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_";
const LEAVING_ENTITLEMENTS = "REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_";

const written = {
  displayName: "string",
  description: "string",
  published: "bool",
  requestBundle: "bool",
  visibleToEveryone: "bool",
  enrollmentBehavior: names(
    ENROLLING,
    "UNSPECIFIED",
    "BYPASS_ENTITLEMENT_REQUEST_POLICY",
    "ENFORCE_ENTITLEMENT_REQUEST_POLICY",
  ),
  unenrollmentBehavior: names(
    LEAVING,
    "UNSPECIFIED",
    "LEAVE_ACCESS_AS_IS",
    "REVOKE_ALL",
    "REVOKE_UNJUSTIFIED",
  ),
  unenrollmentEntitlementBehavior: names(LEAVING_ENTITLEMENTS, "UNSPECIFIED", "BYPASS", "ENFORCE"),
  annotations: map("string"),
} as const;

/** The fields of an access profile that a client may write. */
export const WRITABLE: readonly string[] = Object.keys(written);

/** An access profile; the service calls it a request catalog. */
export const catalog = message(`${CATALOG}.RequestCatalog`, {
  id: "string",
  ...written,
  accessEntitlements: list(entitlement),
  createdByUserId: "string",
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

/** Makes an access profile. */
export const createCatalogRequest = message(
  `${CATALOG}.RequestCatalogManagementServiceCreateRequest`,
  written,
);

/** Changes the masked fields of an access profile. */
export const updateCatalogRequest = message(`${CATALOG}.RequestCatalogManagementServiceUpdateRequest`, {
  id: "string",
  catalog,
  updateMask: "mask",
  expandMask: message(`${CATALOG}.RequestCatalogExpandMask`, { paths: list("string") }),
});

/** The reply to what has nothing to say. */
export const doneReply = message(`${CATALOG}.RequestCatalogManagementServiceDeleteResponse`, {});
