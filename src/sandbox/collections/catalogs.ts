import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import { Refusal } from "../answer/refusal.js";
import {
  catalogReply,
  catalogRequest,
  createCatalogRequest,
  doneReply,
  listCatalogsReply,
  listCatalogsRequest,
  updateCatalogRequest,
  WRITABLE,
} from "../messages/catalog.js";
import { profileBelongings } from "../tenant/builtin.js";
import { makeId } from "../tenant/identity.js";
import { ROOT } from "../tenant/store.js";
import type { NamedRow } from "../tenant/tenant.js";
import { flag, omit, part, pick, text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { removeEntitlement } from "./automated.js";
import { boundTo } from "./catalogParts.js";
import { born, existing, isDeleted } from "./existing.js";
import { maskOf } from "./mask.js";
import { pageOf } from "./page.js";

const COLLECTION = "/api/v1/catalogs";
const ITEM = `${COLLECTION}/{id}`;

/** Access profiles, which the service calls request catalogs. Names repeat. */
export const catalogs = [
  {
    name: "ListCatalogs",
    summary: "Lists the access profiles, each with a member count of 0.",
    method: "GET",
    path: COLLECTION,
    request: listCatalogsRequest,
    response: listCatalogsReply,
    answer(request, world) {
      const page = pageOf(request, world, [world.store.catalogs.of(ROOT)], (row) => !isDeleted(row));
      return {
        list: page.rows.map((row) => ({ requestCatalog: omit(row, ["memberCount"]) })),
        nextPageToken: page.nextPageToken,
      };
    },
  },
  {
    name: "CreateCatalog",
    summary: "Makes an access profile, also where another one has its name.",
    method: "POST",
    path: COLLECTION,
    request: createCatalogRequest,
    response: catalogReply,
    answer(request, world) {
      const id = makeId(world.now, world.random);
      return view(put(pick(request, WRITABLE), { id, ...born(world) }, world));
    },
  },
  {
    name: "GetCatalog",
    summary: "Gives one access profile with its real member count; a deleted one with its time.",
    method: "GET",
    path: ITEM,
    request: catalogRequest,
    response: catalogReply,
    answer(request, world) {
      const row = world.store.catalogs.get(ROOT, text(request, "id"));
      if (row === undefined) throw new Refusal("notFound", "not found");
      const reply = view(row);
      const { requestCatalog } = reply.requestCatalogView;
      const accessEntitlements = boundTo(row).map(
        ({ appId, id }) => world.store.entitlements.get(appId, id) ?? { appId, id },
      );
      return {
        requestCatalogView: {
          ...reply.requestCatalogView,
          requestCatalog: { ...requestCatalog, accessEntitlements },
        },
      };
    },
  },
  {
    name: "UpdateCatalog",
    summary: "Changes the masked fields of an access profile.",
    method: "POST",
    path: ITEM,
    request: updateCatalogRequest,
    response: catalogReply,
    answer(request, world) {
      const mask = maskOf(request, WRITABLE);
      if (mask.length === 0) throw new Refusal("invalidArgument", "update_mask is required");
      const before = existing(world.store.catalogs.get(ROOT, text(request, "id")));
      const sent = pick(part(request, "catalog") ?? {}, mask);
      const updatedAt = writeTimestamp(world.now);
      return view(put({ ...omit(before, mask), ...sent }, { id: before.id, updatedAt }, world));
    },
  },
  {
    name: "DeleteCatalog",
    summary: "Deletes an access profile with its entries, its visibility and its automation.",
    method: "DELETE",
    path: ITEM,
    request: catalogRequest,
    response: doneReply,
    answer(request, world) {
      const { store } = world;
      const row = existing(store.catalogs.get(ROOT, text(request, "id")));
      const deletedAt = writeTimestamp(world.now);
      store.catalogs.put(ROOT, row.id, {
        ...omit(row, ["entries", "bindings", "bundle"]),
        id: row.id,
        deletedAt,
      });
      const { resources, entitlements } = profileBelongings(row, store.c1AppId);
      for (const { appId, id } of resources) {
        const kept = store.resources.get(appId, id);
        if (kept !== undefined) store.resources.put(appId, id, { ...kept, deletedAt });
      }
      for (const { appId, id } of entitlements) {
        const own = store.entitlements.get(appId, id);
        if (own !== undefined && !isDeleted(own)) removeEntitlement(own, world);
      }
      return {};
    },
  },
] as const satisfies readonly Operation[];

function put(fields: JsonObject, own: JsonObject & { readonly id: string }, { store }: World): NamedRow {
  if (text(fields, "displayName") === "") throw new Refusal("invalidArgument", "display_name is required");
  const row = { ...fields, ...own };
  // How the service treats it is not known.
  if (flag(row, "visibleToEveryone") && boundTo(row).length > 0)
    throw new Refusal("invalidArgument", "catalog has access entitlements, cannot be visible to everyone");
  return store.catalogs.put(ROOT, own.id, row);
}

function view(row: NamedRow) {
  return { requestCatalogView: { requestCatalog: row, memberCount: text(row, "memberCount") || "0" } };
}
