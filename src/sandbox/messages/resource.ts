import { list, message } from "../wire/descriptor.js";

const APP = "c1.api.app.v1";

/** A thing in an app. */
const resource = message(`${APP}.AppResource`, {
  id: "string",
  appId: "string",
  appResourceTypeId: "string",
  displayName: "string",
  description: "string",
  grantCount: "int64",
  parentAppResourceId: "string",
  parentAppResourceTypeId: "string",
  createdAt: "timestamp",
  updatedAt: "timestamp",
  deletedAt: "timestamp",
});

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
  list: list(
    message(`${APP}.AppResourceView`, {
      appResource: resource,
      appPath: "string",
      resourceTypePath: "string",
      parentResourcePath: "string",
    }),
  ),
  expanded: list("any"),
  nextPageToken: "string",
});
