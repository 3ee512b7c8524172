import { list, message, names } from "../wire/descriptor.js";

const APP = "c1.api.app.v1";

/** A class of things in one app. */
export const resourceType = message(`${APP}.AppResourceType`, {
  id: "string",
  appId: "string",
  displayName: "string",
  traitIds: list("string"),
  createdAt: "timestamp",
  updatedAt: "timestamp",
  deletedAt: "timestamp",
});

const view = message(`${APP}.AppResourceTypeView`, { appResourceType: resourceType, appPath: "string" });

const page = { pageSize: "int32", pageToken: "string" } as const;

/** Asks for an app's types. */
export const listTypesRequest = message(`${APP}.AppResourceTypeServiceListRequest`, {
  appId: "string",
  ...page,
});

/** A page of an app's types. */
export const listTypesReply = message(`${APP}.AppResourceTypeServiceListResponse`, {
  list: list(view),
  expanded: list("any"),
  nextPageToken: "string",
});

/** A request that names one type and nothing else. */
export const typeRequest = message(`${APP}.AppResourceTypeServiceGetRequest`, {
  appId: "string",
  id: "string",
});

/** One type, in the form that reads have. */
export const typeViewReply = message(`${APP}.AppResourceTypeServiceGetResponse`, {
  appResourceTypeView: view,
  expanded: list("any"),
});

/** Makes a type; its `resourceType` is written here and never shown. */
export const createTypeRequest = message(`${APP}.CreateManuallyManagedResourceTypeRequest`, {
  appId: "string",
  displayName: "string",
  resourceType: names(
    "",
    "RESOURCE_TYPE_UNSPECIFIED",
    "ROLE",
    "GROUP",
    "LICENSE",
    "PROJECT",
    "CATALOG",
    "CUSTOM",
    "VAULT",
    "PROFILE_TYPE",
    "SESSION_POLICY",
    "CLAW_AGENT",
  ),
});

/** Changes the masked fields of a type. */
export const updateTypeRequest = message(`${APP}.UpdateManuallyManagedResourceTypeRequest`, {
  appId: "string",
  id: "string",
  appResourceType: resourceType,
  updateMask: "mask",
});

/** One type, in the form that writes have. */
export const typeReply = message(`${APP}.ManuallyManagedResourceTypeResponse`, {
  appResourceType: resourceType,
  expanded: list("any"),
});

/** Looks for types in all apps. */
export const searchTypesRequest = message(`${APP}.SearchAppResourceTypesRequest`, {
  appIds: list("string"),
  appUserIds: list("string"),
  displayName: "string",
  query: "string",
  resourceTypeIds: list("string"),
  excludeResourceTypeIds: list("string"),
  resourceTypeTraitIds: list("string"),
  excludeResourceTypeTraitIds: list("string"),
  ...page,
});

/** A page of types found: bare, unlike those of a list. */
export const searchTypesReply = message(`${APP}.SearchAppResourceTypesResponse`, {
  list: list(resourceType),
  nextPageToken: "string",
});
