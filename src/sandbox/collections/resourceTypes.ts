import type { JsonObject } from "../../model/json.js";
import { type Operation, Refusal, type World } from "../answer/operation.js";
import { resourceType } from "../messages/app.js";
import { empty, expanded, page, paging } from "../messages/members.js";
import { typeIdOf } from "../tenant/builtin.js";
import { makeId } from "../tenant/identity.js";
import type { ResourceTypeRow } from "../tenant/tenant.js";
import { list, message, names } from "../wire/descriptor.js";
import { omit, part, pick, text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { removeEntitlement } from "./automated.js";
import { byApp, listing, textSearchOf } from "./listing.js";
import { born, find, inApp, isDeleted, writable } from "./owned.js";
import { maskOf, operationsOf } from "./table.js";

const APP = "c1.api.app.v1.";

const KINDS = names(
  "",
  ...["RESOURCE_TYPE_UNSPECIFIED", "ROLE", "GROUP", "LICENSE", "PROJECT", "CATALOG", "CUSTOM", "VAULT"],
  ...["PROFILE_TYPE", "SESSION_POLICY", "CLAW_AGENT"],
);

const view = message(`${APP}AppResourceTypeView`, { appResourceType: resourceType, appPath: "string" });
const reply = message(`${APP}ManuallyManagedResourceTypeResponse`, {
  appResourceType: resourceType,
  ...expanded,
});

/** The classes of things in an app: found, made, renamed, given traits, deleted with what is in them. */
export const resourceTypes: readonly Operation[] = [
  ...operationsOf<ResourceTypeRow>({
    noun: ["ResourceType", "ResourceTypes"],
    at: "/api/v1/apps/{app_id}/resource_types",
    service: APP,
    record: resourceType,
    view,
    rows: (store) => store.resourceTypes,
    within: inApp,
    find: (request, world) => find(world, "resourceTypes", text(request, "id"), text(request, "appId")),
    makes,
    changes,
    removes,
    calls: {
      List: [
        "Lists an app's resource types.",
        "AppResourceTypeServiceListRequest",
        page(`${APP}AppResourceTypeServiceListResponse`, view, expanded),
      ],
      // The word for the kind is written here and never shown.
      Create: [
        "Makes a resource type; only CUSTOM may occur more than once in an app.",
        "CreateManuallyManagedResourceTypeRequest",
        reply,
        { displayName: "string", resourceType: KINDS },
      ],
      Get: [
        "Gives one resource type.",
        "AppResourceTypeServiceGetRequest",
        message(`${APP}AppResourceTypeServiceGetResponse`, { appResourceTypeView: view, ...expanded }),
      ],
      Update: [
        "Changes the masked fields of a resource type.",
        "UpdateManuallyManagedResourceTypeRequest",
        reply,
        { appResourceType: resourceType, updateMask: "mask" },
      ],
      Delete: [
        "Deletes a resource type, and every entitlement of its resources.",
        "AppResourceTypeServiceGetRequest",
        empty,
      ],
    },
  }),
  listing<ResourceTypeRow>({
    name: "SearchResourceTypes",
    summary: "Finds resource types in all apps; an app that does not exist has none.",
    method: "POST",
    path: "/api/v1/search/app_resource_types",
    request: message(`${APP}SearchAppResourceTypesRequest`, {
      appIds: list("string"),
      appUserIds: list("string"),
      displayName: "string",
      query: "string",
      resourceTypeIds: list("string"),
      excludeResourceTypeIds: list("string"),
      resourceTypeTraitIds: list("string"),
      excludeResourceTypeTraitIds: list("string"),
      ...paging,
    }),
    // Bare, unlike those of a list.
    response: page(`${APP}SearchAppResourceTypesResponse`, resourceType),
    among: byApp((store) => store.resourceTypes),
    // A sandbox's types have no accounts, so none is found by one.
    any: { resourceTypeIds: "id", resourceTypeTraitIds: "traitIds", appUserIds: "accountIds" },
    none: { excludeResourceTypeIds: "id", excludeResourceTypeTraitIds: "traitIds" },
    also: textSearchOf,
  }),
];

function makes(request: JsonObject, world: World): ResourceTypeRow {
  const { store } = world;
  const appId = text(request, "appId");
  const kind = text(request, "resourceType");
  const displayName = text(request, "displayName");
  if (displayName === "") throw new Refusal("unknown", "display_name is required");
  if (kind === "") throw new Refusal("unknown", "resource_type is required");
  writable(world, "apps", appId);
  // An app's one type of a kind has the kind's id, the same in every app.
  const id = kind === "CUSTOM" ? makeId(world.now, world.random) : typeIdOf(kind);
  const found = store.resourceTypes.get(appId, id);
  if (found !== undefined && !isDeleted(found)) {
    throw new Refusal("unknown", "app resource type already exists");
  }
  const row = { appId, id, displayName, resourceType: kind, ...born(world) };
  return store.resourceTypes.put(appId, id, row);
}

/** The fields that an update may change. */
const UPDATED = ["displayName", "traitIds"];

function changes(request: JsonObject, world: World): ResourceTypeRow {
  const [appId, id] = [text(request, "appId"), text(request, "id")];
  const wanted = part(request, "appResourceType");
  if (wanted === undefined) throw new Refusal("invalidArgument", "app_resource_type is required");
  const mask = maskOf(request, UPDATED);
  const before = writable(world, "resourceTypes", id, appId);
  // Without a mask, what is sent applies and what is not sent stays (a guess: the service has not shown it).
  const written = mask.length > 0 ? mask : UPDATED.filter((name) => wanted[name] !== undefined);
  const fields = { ...omit(before, written), ...pick(wanted, written) };
  const updatedAt = writeTimestamp(world.now);
  const row = { ...fields, appId, id, displayName: text(fields, "displayName"), updatedAt };
  return world.store.resourceTypes.put(appId, id, row);
}

function removes(row: ResourceTypeRow, world: World): ResourceTypeRow {
  const { store } = world;
  const isOfIt = ({ appResourceTypeId }: JsonObject) => appResourceTypeId === row.id;
  for (const entitlement of store.entitlements.of(row.appId).filter(isOfIt))
    if (!isDeleted(entitlement)) removeEntitlement(entitlement, world);
  const deletedAt = writeTimestamp(world.now);
  for (const resource of store.resources.of(row.appId).filter(isOfIt))
    store.resources.put(row.appId, resource.id, { ...resource, deletedAt });
  return row;
}
