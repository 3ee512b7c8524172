import { Refusal } from "../answer/operation.js";
import { expanded, page, paging, times } from "../messages/members.js";
import type { ResourceRow } from "../tenant/tenant.js";
import { list, message } from "../wire/descriptor.js";
import { text } from "../wire/member.js";
import { removeEntitlement } from "./automated.js";
import { byApp, listing, textSearchOf } from "./listing.js";
import { inType, isDeleted } from "./owned.js";
import { operationsOf } from "./table.js";

const APP = "c1.api.app.v1.";

const written = { displayName: "string", description: "string" } as const;

const resource = message(`${APP}AppResource`, {
  id: "string",
  appId: "string",
  appResourceTypeId: "string",
  ...written,
  externalId: "string",
  grantCount: "int64",
  parentAppResourceId: "string",
  parentAppResourceTypeId: "string",
  ...times,
});

const view = message(`${APP}AppResourceView`, {
  appResource: resource,
  appPath: "string",
  resourceTypePath: "string",
  parentResourcePath: "string",
});

const found = page(`${APP}SearchAppResourcesResponse`, view, expanded);
const viewed = message(`${APP}AppResourceServiceGetResponse`, { appResourceView: view, ...expanded });
const made = message(`${APP}CreateManuallyManagedAppResourceResponse`, { appResource: resource });

/** The things in apps that entitlements are about. Names repeat. */
export const resources = [
  ...operationsOf<ResourceRow>({
    noun: ["Resource", "Resources"],
    at: "/api/v1/apps/{app_id}/resource_types/{app_resource_type_id}/resources",
    service: APP,
    record: resource,
    view,
    rows: (store) => store.resources,
    within: inType,
    written,
    owners: "resourceOwnerUserIds",
    required: ["display_name"],
    removes(row, world) {
      // What a connector made comes back with its next sync; the status is a guess.
      if (text(row, "externalId") !== "") throw new Refusal("failedPrecondition", "the resource is synced");
      for (const entitlement of world.store.entitlements.of(row.appId))
        if (entitlement.appResourceId === row.id && !isDeleted(entitlement))
          removeEntitlement(entitlement, world);
      return row;
    },
    calls: {
      List: ["Lists the resources of one type of an app.", "AppResourceServiceListRequest", found],
      Create: [
        "Makes a resource, also where another one has its name.",
        "CreateManuallyManagedAppResourceRequest",
        made,
        { ...written, resourceOwnerUserIds: list("string", 32) },
      ],
      Get: ["Gives a resource.", "AppResourceServiceGetRequest", viewed],
      Update: [
        "Changes the masked fields of a resource.",
        "AppResourceServiceUpdateRequest",
        viewed,
        { appResource: resource, updateMask: "mask" },
      ],
      Delete: [
        "Deletes a resource that people made, and its entitlements.",
        "AppResourceServiceGetRequest",
        message(`${APP}DeleteManuallyManagedAppResourceResponse`, {}),
      ],
    },
  }),
  listing<ResourceRow>({
    name: "SearchResources",
    summary: "Finds resources in all apps.",
    method: "POST",
    path: "/api/v1/search/app_resources",
    request: message(`${APP}SearchAppResourcesRequest`, {
      appId: "string",
      appIds: list("string"),
      resourceTypeIds: list("string"),
      resourceIds: list("string"),
      refs: list(message(`${APP}AppResourceRef`, { appId: "string", id: "string" })),
      query: "string",
      ownerUserIds: list("string"),
      unownedOnly: "bool",
      ...paging,
    }),
    response: found,
    among: byApp((store) => store.resources),
    any: { resourceTypeIds: "appResourceTypeId", resourceIds: "id", ownerUserIds: "ownerIds" },
    refs: "refs",
    also: textSearchOf,
    shows: (appResource) => ({ appResource }),
  }),
];
