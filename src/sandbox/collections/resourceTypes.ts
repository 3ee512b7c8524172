import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import { Refusal } from "../answer/refusal.js";
import { empty } from "../messages/members.js";
import {
  createTypeRequest,
  listTypesReply,
  listTypesRequest,
  searchTypesReply,
  searchTypesRequest,
  typeReply,
  typeRequest,
  typeViewReply,
  updateTypeRequest,
} from "../messages/resourceType.js";
import { typeIdOf } from "../tenant/builtin.js";
import { makeId } from "../tenant/identity.js";
import type { ResourceTypeRow } from "../tenant/tenant.js";
import { omit, part, pick, text, texts } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { removeEntitlement } from "./automated.js";
import { born, existing, isDeleted, readable } from "./existing.js";
import { maskOf } from "./mask.js";
import { findApp, findType, writableApp, writableType } from "./owned.js";
import { pageOf } from "./page.js";
import { textSearchOf } from "./textSearch.js";

const COLLECTION = "/api/v1/apps/{app_id}/resource_types";
const ITEM = `${COLLECTION}/{id}`;

/** The fields that an update may change. */
const WRITABLE: readonly string[] = ["displayName", "traitIds"];

/** The classes of things in an app: found, made, renamed, given traits, deleted with what is in them. */
export const resourceTypes = [
  {
    name: "ListResourceTypes",
    summary: "Lists an app's resource types.",
    method: "GET",
    path: COLLECTION,
    request: listTypesRequest,
    response: listTypesReply,
    answer(request, world) {
      existing(findApp(world, text(request, "appId")));
      const group = world.store.types.of(text(request, "appId"));
      const page = pageOf(request, world, [group], (row) => !isDeleted(row));
      return {
        list: page.rows.map((row) => ({ appResourceType: row })),
        nextPageToken: page.nextPageToken,
      };
    },
  },
  {
    name: "CreateResourceType",
    summary: "Makes a resource type; only CUSTOM may occur more than once in an app.",
    method: "POST",
    path: COLLECTION,
    request: createTypeRequest,
    response: typeReply,
    answer: create,
  },
  {
    name: "GetResourceType",
    summary: "Gives one resource type.",
    method: "GET",
    path: ITEM,
    request: typeRequest,
    response: typeViewReply,
    answer: (request, world) => ({
      appResourceTypeView: { appResourceType: readable(find(request, world), world) },
    }),
  },
  {
    name: "UpdateResourceType",
    summary: "Changes the masked fields of a resource type.",
    method: "POST",
    path: ITEM,
    request: updateTypeRequest,
    response: typeReply,
    answer: update,
  },
  {
    name: "DeleteResourceType",
    summary: "Deletes a resource type, and every entitlement of its resources.",
    method: "DELETE",
    path: ITEM,
    request: typeRequest,
    response: empty,
    answer: remove,
  },
  {
    name: "SearchResourceTypes",
    summary: "Finds resource types in all apps; an app that does not exist has none.",
    method: "POST",
    path: "/api/v1/search/app_resource_types",
    request: searchTypesRequest,
    response: searchTypesReply,
    answer(request, world) {
      const groups = typeCandidates(request, world);
      const { rows, nextPageToken } = pageOf(request, world, groups, typesWantedBy(request, world));
      return { list: rows, nextPageToken };
    },
  },
] as const satisfies readonly Operation[];

function find(request: JsonObject, world: World): ResourceTypeRow | undefined {
  return findType(world, text(request, "appId"), text(request, "id"));
}

function create(request: JsonObject, world: World): JsonObject {
  const { store } = world;
  const appId = text(request, "appId");
  const kind = text(request, "resourceType");
  const displayName = text(request, "displayName");
  if (displayName === "") throw new Refusal("unknown", "display_name is required");
  if (kind === "") throw new Refusal("unknown", "resource_type is required");
  writableApp(world, appId);
  // An app's one type of a kind has the kind's id, the same in every app.
  const id = kind === "CUSTOM" ? makeId(world.now, world.random) : typeIdOf(kind);
  const found = store.types.get(appId, id);
  if (found !== undefined && !isDeleted(found)) {
    throw new Refusal("unknown", "app resource type already exists");
  }
  const row = { appId, id, displayName, resourceType: kind, ...born(world) };
  return { appResourceType: store.types.put(appId, id, row) };
}

function update(request: JsonObject, world: World): JsonObject {
  const [appId, id] = [text(request, "appId"), text(request, "id")];
  const wanted = part(request, "appResourceType");
  if (wanted === undefined) throw new Refusal("invalidArgument", "app_resource_type is required");
  const mask = maskOf(request, WRITABLE);
  const before = writableType(world, appId, id);
  // Without a mask, what is sent applies and what is not sent stays (a guess: the service has not shown it).
  const written = mask.length > 0 ? mask : WRITABLE.filter((name) => wanted[name] !== undefined);
  const fields = { ...omit(before, written), ...pick(wanted, written) };
  const updatedAt = writeTimestamp(world.now);
  const row = { ...fields, appId, id, displayName: text(fields, "displayName"), updatedAt };
  return { appResourceType: world.store.types.put(appId, id, row) };
}

function remove(request: JsonObject, world: World): JsonObject {
  const { store } = world;
  const row = existing(find(request, world));
  const deletedAt = writeTimestamp(world.now);
  store.types.put(row.appId, row.id, { ...row, deletedAt });
  for (const entitlement of store.entitlements.of(row.appId)) {
    if (entitlement.appResourceTypeId !== row.id || isDeleted(entitlement)) continue;
    removeEntitlement(entitlement, world);
  }
  for (const resource of store.resources.of(row.appId)) {
    if (resource.appResourceTypeId !== row.id) continue;
    store.resources.put(row.appId, resource.id, { ...resource, deletedAt });
  }
  return {};
}

/** The fewest types that a search must look at: those of the apps named, or all. */
function typeCandidates(request: JsonObject, { store }: World): readonly (readonly ResourceTypeRow[])[] {
  const appIds = new Set(texts(request, "appIds"));
  return appIds.size > 0 ? [...appIds].map((appId) => store.types.of(appId)) : store.types.groups();
}

/** Whether a type passes every filter of a search. */
function typesWantedBy(request: JsonObject, world: World): (row: ResourceTypeRow) => boolean {
  const ids = new Set(texts(request, "resourceTypeIds"));
  const excluded = new Set(texts(request, "excludeResourceTypeIds"));
  const traits = new Set(texts(request, "resourceTypeTraitIds"));
  const excludedTraits = new Set(texts(request, "excludeResourceTypeTraitIds"));
  const isFound = textSearchOf(request, world);
  // A sandbox's apps have no accounts, so no type is found by one.
  if (texts(request, "appUserIds").length > 0) return () => false;
  return (row) =>
    !isDeleted(row) &&
    (ids.size === 0 || ids.has(row.id)) &&
    !excluded.has(row.id) &&
    (traits.size === 0 || texts(row, "traitIds").some((trait) => traits.has(trait))) &&
    !texts(row, "traitIds").some((trait) => excludedTraits.has(trait)) &&
    isFound(row);
}
