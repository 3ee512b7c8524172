import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import { Refusal } from "../answer/refusal.js";
import { doneReply } from "../messages/catalog.js";
import {
  addEntriesRequest,
  bindingsRequest,
  entriesRequest,
  entryIdsReply,
  entryIdsRequest,
  listPartsReply,
  listPartsRequest,
} from "../messages/catalogParts.js";
import { ROOT } from "../tenant/store.js";
import type { NamedRow } from "../tenant/tenant.js";
import { flag, parts, text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { existing, isDeleted } from "./existing.js";
import { pageOf } from "./page.js";

const ITEM = "/api/v1/catalogs/{catalog_id}";

/** What an access profile offers, and who sees it: kept behind calls of their own. */
export const catalogParts = [
  {
    name: "ListCatalogEntryIds",
    summary: "Lists the ids of all entries of an access profile, on one page.",
    method: "GET",
    path: `${ITEM}/requestable_entitlementIDs`,
    request: entryIdsRequest,
    response: entryIdsReply,
    answer: (request, world) => ({ refs: refsIn(find(request, world), "entries") }),
  },
  {
    name: "ListCatalogEntries",
    summary: "Lists the entries of an access profile as entitlements.",
    method: "GET",
    path: `${ITEM}/requestable_entitlements`,
    request: listPartsRequest,
    response: listPartsReply,
    answer: (request, world) => shown(request, world, "entries"),
  },
  {
    name: "SetCatalogEntries",
    summary: "Replaces all entries of an access profile.",
    method: "POST",
    path: `${ITEM}/requestable_entitlements/update`,
    request: entriesRequest,
    response: doneReply,
    answer: (request, world) => keep(request, world, "entries", named(request, "appEntitlements", world)),
  },
  {
    name: "AddCatalogEntries",
    summary: "Adds entries to an access profile.",
    method: "POST",
    path: `${ITEM}/requestable_entries`,
    request: addEntriesRequest,
    response: doneReply,
    answer(request, world) {
      const before = refsIn(find(request, world), "entries");
      return keep(request, world, "entries", [...before, ...named(request, "appEntitlements", world)]);
    },
  },
  {
    name: "RemoveCatalogEntries",
    summary: "Removes entries of an access profile.",
    method: "DELETE",
    path: `${ITEM}/requestable_entries`,
    request: entriesRequest,
    response: doneReply,
    answer: (request, world) =>
      keep(request, world, "entries", without(request, world, "entries", "appEntitlements")),
  },
  {
    name: "ListCatalogBindings",
    summary: "Lists the entitlements whose holders see an access profile.",
    method: "GET",
    path: `${ITEM}/visibility_entitlements`,
    request: listPartsRequest,
    response: listPartsReply,
    answer: (request, world) => shown(request, world, "bindings"),
  },
  {
    name: "AddCatalogBindings",
    summary: "Lets the holders of entitlements see an access profile that is published.",
    method: "POST",
    path: `${ITEM}/visibility_bindings`,
    request: bindingsRequest,
    response: doneReply,
    answer(request, world) {
      const row = find(request, world);
      if (!flag(row, "published"))
        throw new Refusal("invalidArgument", "catalog must be published to add an access entitlement");
      if (flag(row, "visibleToEveryone"))
        throw new Refusal(
          "invalidArgument",
          "catalog is visible to everyone, cannot add access entitlements",
        );
      return keep(request, world, "bindings", [
        ...boundTo(row),
        ...named(request, "accessEntitlements", world),
      ]);
    },
  },
  {
    name: "RemoveCatalogBindings",
    summary: "Lets the holders of entitlements no longer see an access profile.",
    method: "DELETE",
    path: `${ITEM}/visibility_bindings`,
    request: bindingsRequest,
    response: doneReply,
    answer: (request, world) =>
      keep(request, world, "bindings", without(request, world, "bindings", "accessEntitlements")),
  },
] as const satisfies readonly Operation[];

/** The part of the profile's row that a list is kept in. */
type Part = "entries" | "bindings";

/** An entitlement as references write it. */
interface Ref extends JsonObject {
  readonly appId: string;
  readonly id: string;
}

/** The entitlements whose holders see a profile. */
export function boundTo(row: JsonObject): readonly Ref[] {
  return refsIn(row, "bindings");
}

function find(request: JsonObject, { store }: World): NamedRow {
  return existing(store.catalogs.get(ROOT, text(request, "catalogId")));
}

function refsIn(row: JsonObject, name: string): readonly Ref[] {
  return parts(row, name).map((ref) => ({ appId: text(ref, "appId"), id: text(ref, "id") }));
}

function nameOf({ appId, id }: Ref): string {
  return `${appId}/${id}`;
}

/** The entitlements that a request names, each of which the tenant has. */
function named(request: JsonObject, name: string, { store }: World): readonly Ref[] {
  const refs = refsIn(request, name);
  // The status of an entitlement that is not there is a guess.
  if (!store.open) for (const { appId, id } of refs) existing(store.entitlements.get(appId, id));
  return refs;
}

function without(request: JsonObject, world: World, part: Part, name: string): readonly Ref[] {
  const left = new Set(refsIn(request, name).map(nameOf));
  return refsIn(find(request, world), part).filter((ref) => !left.has(nameOf(ref)));
}

/** Keeps each entitlement once; the order in which the service shows them is not known. */
function keep(request: JsonObject, world: World, part: Part, refs: readonly Ref[]): JsonObject {
  const row = find(request, world);
  const once = [...new Map(refs.map((ref) => [nameOf(ref), ref])).values()];
  world.store.catalogs.put(ROOT, row.id, { ...row, [part]: once, updatedAt: writeTimestamp(world.now) });
  return {};
}

function shown(request: JsonObject, world: World, part: Part): JsonObject {
  const { store } = world;
  const rows = refsIn(find(request, world), part).flatMap(({ appId, id }) => {
    const row = store.entitlements.get(appId, id) ?? { appId, id, displayName: "" };
    return isDeleted(row) ? [] : [row];
  });
  const page = pageOf(request, world, [rows], () => true);
  return {
    list: page.rows.map((appEntitlement) => ({ appEntitlement })),
    nextPageToken: page.nextPageToken,
  };
}
