import { list, message } from "../wire/descriptor.js";

const APP = "c1.api.app.v1";

/** A thing in an app. */
const resource = message(`${APP}.AppResource`, {
  id: "string",
  appId: "string",
  appResourceTypeId: "string",
  displayName: "string",
  description: "string",
  externalId: "string",
  grantCount: "int64",
  parentAppResourceId: "string",
  parentAppResourceTypeId: "string",
  createdAt: "timestamp",
  updatedAt: "timestamp",
  deletedAt: "timestamp",
});

/** The fields of a resource that a client may write. */
export const WRITABLE: readonly string[] = ["displayName", "description"];

const ofType = { appId: "string", appResourceTypeId: "string" } as const;

const view = message(`${APP}.AppResourceView`, {
  appResource: resource,
  appPath: "string",
  resourceTypePath: "string",
  parentResourcePath: "string",
});

/** Asks for the resources of one type. */
export const listResourcesRequest = message(`${APP}.AppResourceServiceListRequest`, {
  ...ofType,
  pageSize: "int32",
  pageToken: "string",
});

/** A request that names one resource and nothing else. */
export const resourceRequest = message(`${APP}.AppResourceServiceGetRequest`, { ...ofType, id: "string" });

/** One resource, in the form that reads and updates have. */
export const resourceViewReply = message(`${APP}.AppResourceServiceGetResponse`, {
  appResourceView: view,
  expanded: list("any"),
});

/** Makes a resource. */
export const createResourceRequest = message(`${APP}.CreateManuallyManagedAppResourceRequest`, {
  ...ofType,
  displayName: "string",
  description: "string",
  resourceOwnerUserIds: list("string", 32),
});

/** One resource, in the form that a create has. */
export const resourceReply = message(`${APP}.CreateManuallyManagedAppResourceResponse`, {
  appResource: resource,
});

/** Changes the masked fields of a resource. */
export const updateResourceRequest = message(`${APP}.AppResourceServiceUpdateRequest`, {
  ...ofType,
  id: "string",
  appResource: resource,
  updateMask: "mask",
});

/** The reply to a delete. */
export const deleteResourceReply = message(`${APP}.DeleteManuallyManagedAppResourceResponse`, {});

/** Looks for resources in all apps. */
export const searchResourcesRequest = message(`${APP}.SearchAppResourcesRequest`, {
  appId: "string",
  appIds: list("string"),
  resourceTypeIds: list("string"),
  resourceIds: list("string"),
  refs: list(message(`${APP}.AppResourceRef`, { appId: "string", id: "string" })),
  query: "string",
  ownerUserIds: list("string"),
  unownedOnly: "bool",
  pageSize: "int32",
  pageToken: "string",
});

/** A page of resources found. */
export const searchResourcesReply = message(`${APP}.SearchAppResourcesResponse`, {
  list: list(view),
  expanded: list("any"),
  nextPageToken: "string",
});
