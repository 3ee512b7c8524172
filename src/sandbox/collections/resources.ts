import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import { Refusal } from "../answer/refusal.js";
import {
  createResourceRequest,
  deleteResourceReply,
  listResourcesRequest,
  resourceReply,
  resourceRequest,
  resourceViewReply,
  searchResourcesReply,
  searchResourcesRequest,
  updateResourceRequest,
  WRITABLE,
} from "../messages/resource.js";
import { makeId } from "../tenant/identity.js";
import type { ResourceRow } from "../tenant/tenant.js";
import { omit, part, parts, pick, text, texts } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { removeEntitlement } from "./automated.js";
import { born, existing, isDeleted, readable } from "./existing.js";
import { maskOf } from "./mask.js";
import { findType, writableType } from "./owned.js";
import { pageOf } from "./page.js";
import { textSearchOf } from "./textSearch.js";

const COLLECTION = "/api/v1/apps/{app_id}/resource_types/{app_resource_type_id}/resources";
const ITEM = `${COLLECTION}/{id}`;

/** The things in apps that entitlements are about. Names repeat. */
export const resources = [
  {
    name: "ListResources",
    summary: "Lists the resources of one type of an app.",
    method: "GET",
    path: COLLECTION,
    request: listResourcesRequest,
    response: searchResourcesReply,
    answer(request, world) {
      const type = existing(findType(world, text(request, "appId"), text(request, "appResourceTypeId")));
      const isOfType = (row: ResourceRow) => !isDeleted(row) && row.appResourceTypeId === type.id;
      const page = pageOf(request, world, [world.store.resources.of(type.appId)], isOfType);
      return { list: page.rows.map((row) => ({ appResource: row })), nextPageToken: page.nextPageToken };
    },
  },
  {
    name: "CreateResource",
    summary: "Makes a resource, also where another one has its name.",
    method: "POST",
    path: COLLECTION,
    request: createResourceRequest,
    response: resourceReply,
    answer(request, world) {
      const [appId, appResourceTypeId] = [text(request, "appId"), text(request, "appResourceTypeId")];
      writableType(world, appId, appResourceTypeId);
      const id = makeId(world.now, world.random);
      // A row keeps its owners, and no message shows them.
      const ownerIds = texts(request, "resourceOwnerUserIds");
      return put(
        { ...pick(request, WRITABLE), ownerIds, ...born(world) },
        { appId, appResourceTypeId, id },
        world,
      );
    },
  },
  {
    name: "GetResource",
    summary: "Gives a resource.",
    method: "GET",
    path: ITEM,
    request: resourceRequest,
    response: resourceViewReply,
    answer: (request, world) => ({ appResourceView: { appResource: readable(find(request, world), world) } }),
  },
  {
    name: "UpdateResource",
    summary: "Changes the masked fields of a resource.",
    method: "POST",
    path: ITEM,
    request: updateResourceRequest,
    response: resourceViewReply,
    answer(request, world) {
      const mask = maskOf(request, WRITABLE);
      if (mask.length === 0) throw new Refusal("invalidArgument", "update_mask is required");
      const before = existing(find(request, world));
      const sent = pick(part(request, "appResource") ?? {}, mask);
      const updatedAt = writeTimestamp(world.now);
      return { appResourceView: put({ ...omit(before, mask), ...sent, updatedAt }, before, world) };
    },
  },
  {
    name: "DeleteResource",
    summary: "Deletes a resource that people made, and its entitlements.",
    method: "DELETE",
    path: ITEM,
    request: resourceRequest,
    response: deleteResourceReply,
    answer: remove,
  },
  {
    name: "SearchResources",
    summary: "Finds resources in all apps.",
    method: "POST",
    path: "/api/v1/search/app_resources",
    request: searchResourcesRequest,
    response: searchResourcesReply,
    answer(request, world) {
      const { store } = world;
      const appIds = new Set([...texts(request, "appIds"), text(request, "appId")].filter(Boolean));
      const groups =
        appIds.size === 0 ? store.resources.groups() : [...appIds].map((id) => store.resources.of(id));
      const types = new Set(texts(request, "resourceTypeIds"));
      const ids = new Set(texts(request, "resourceIds"));
      const refs = new Set(parts(request, "refs").map((ref) => `${text(ref, "appId")}/${text(ref, "id")}`));
      const isFound = textSearchOf(request, world);
      const owners = texts(request, "ownerUserIds");
      const isOwned = (row: ResourceRow) => owners.some((id) => texts(row, "ownerIds").includes(id));
      const page = pageOf(
        request,
        world,
        groups,
        (row) =>
          (owners.length === 0 || isOwned(row)) &&
          !isDeleted(row) &&
          (types.size === 0 || types.has(row.appResourceTypeId)) &&
          (ids.size === 0 || ids.has(row.id)) &&
          (refs.size === 0 || refs.has(`${row.appId}/${row.id}`)) &&
          isFound(row),
      );
      return { list: page.rows.map((row) => ({ appResource: row })), nextPageToken: page.nextPageToken };
    },
  },
] as const satisfies readonly Operation[];

function find(request: JsonObject, { store }: World): ResourceRow | undefined {
  const row = store.resources.get(text(request, "appId"), text(request, "id"));
  return row?.appResourceTypeId === text(request, "appResourceTypeId") ? row : undefined;
}

function put(
  fields: JsonObject,
  { appId, appResourceTypeId, id }: Pick<ResourceRow, "appId" | "appResourceTypeId" | "id">,
  { store }: World,
): JsonObject {
  const displayName = text(fields, "displayName");
  if (displayName === "") throw new Refusal("invalidArgument", "display_name is required");
  const row = { ...fields, appId, appResourceTypeId, id, displayName };
  return { appResource: store.resources.put(appId, id, row) };
}

function remove(request: JsonObject, world: World): JsonObject {
  const { store } = world;
  const row = existing(find(request, world));
  // What a connector made comes back with its next sync; the status is a guess.
  if (text(row, "externalId") !== "") throw new Refusal("failedPrecondition", "the resource is synced");
  const deletedAt = writeTimestamp(world.now);
  store.resources.put(row.appId, row.id, { ...row, deletedAt });
  for (const entitlement of store.entitlements.of(row.appId))
    if (entitlement.appResourceId === row.id && !isDeleted(entitlement))
      removeEntitlement(entitlement, world);
  return {};
}
