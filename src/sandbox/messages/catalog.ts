import { list, map, message, names } from "../wire/descriptor.js";
import { entitlement } from "./entitlement.js";
import { times } from "./members.js";

const CATALOG = "c1.api.requestcatalog.v1";

const ENROLLING = "REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_";
const LEAVING = "REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_";
const LEAVING_ENTITLEMENTS = "REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_";

/** The fields of an access profile that a client may write. */
export const written = {
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

/** An access profile; the service calls it a request catalog. */
export const catalog = message(`${CATALOG}.RequestCatalog`, {
  id: "string",
  ...written,
  accessEntitlements: list(entitlement),
  createdByUserId: "string",
  ...times,
});

/** The reply to what has nothing to say. */
export const doneReply = message(`${CATALOG}.RequestCatalogManagementServiceDeleteResponse`, {});
