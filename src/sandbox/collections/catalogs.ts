import type { JsonObject } from "../../model/json.js";
import { type Operation, Refusal, type World } from "../answer/operation.js";
import { catalog, doneReply, written } from "../messages/catalog.js";
import { entitlementView } from "../messages/entitlement.js";
import { expanded, expansion, page, paging } from "../messages/members.js";
import { entitlementRef } from "../messages/scope.js";
import { profileBelongings } from "../tenant/builtin.js";
import { ROOT } from "../tenant/store.js";
import type { EntitlementRow, NamedRow } from "../tenant/tenant.js";
import { type Fields, list, message } from "../wire/descriptor.js";
import { flag, omit, parts, text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { removeEntitlement } from "./automated.js";
import { listing, refKey, refsIn } from "./listing.js";
import { existing, isDeleted } from "./owned.js";
import { operationsOf } from "./table.js";

const ITEM = "/api/v1/catalogs/{catalog_id}";
const SERVICE = "c1.api.requestcatalog.v1.RequestCatalogManagementService";

const takes = (name: string, fields: Fields = {}) =>
  message(`${SERVICE}${name}`, { catalogId: "string", ...fields });

const entries = takes("UpdateAppEntitlementsRequest", { appEntitlements: list(entitlementRef) });
const bindings = takes("AddAccessEntitlementsRequest", { accessEntitlements: list(entitlementRef) });

/** What an access profile offers, and who sees it: kept behind calls of their own. */
export const catalogParts: readonly Operation[] = [
  {
    name: "ListCatalogEntryIds",
    summary: "Lists the ids of all entries of an access profile, on one page.",
    method: "GET",
    path: `${ITEM}/requestable_entitlementIDs`,
    request: takes("ListEntitlementIDsPerCatalogRequest"),
    response: message(`${SERVICE}ListEntitlementIDsPerCatalogResponse`, { refs: list(entitlementRef) }),
    answer: (request, world) => ({ refs: refsOf(find(request, world), "entries") }),
  },
  shownAs(
    "ListCatalogEntries",
    "Lists the entries of an access profile as entitlements.",
    "requestable_entitlements",
    "entries",
  ),
  {
    name: "SetCatalogEntries",
    summary: "Replaces all entries of an access profile.",
    method: "POST",
    path: `${ITEM}/requestable_entitlements/update`,
    request: entries,
    response: doneReply,
    answer: keeping("entries", (_, request, world) => named(request, "entries", world)),
  },
  {
    name: "AddCatalogEntries",
    summary: "Adds entries to an access profile.",
    method: "POST",
    path: `${ITEM}/requestable_entries`,
    request: takes("AddAppEntitlementsRequest", {
      appEntitlements: list(entitlementRef),
      // Whether people who are enrolled get requests for them: it acts once and is not kept.
      createRequests: "bool",
    }),
    response: doneReply,
    answer: adding("entries"),
  },
  {
    name: "RemoveCatalogEntries",
    summary: "Removes entries of an access profile.",
    method: "DELETE",
    path: `${ITEM}/requestable_entries`,
    request: entries,
    response: doneReply,
    answer: removing("entries"),
  },
  shownAs(
    "ListCatalogBindings",
    "Lists the entitlements whose holders see an access profile.",
    "visibility_entitlements",
    "bindings",
  ),
  {
    name: "AddCatalogBindings",
    summary: "Lets the holders of entitlements see an access profile that is published.",
    method: "POST",
    path: `${ITEM}/visibility_bindings`,
    request: bindings,
    response: doneReply,
    answer: adding("bindings", (row) => {
      const refuse = (message: string): never => {
        throw new Refusal("invalidArgument", message);
      };
      if (!flag(row, "published")) refuse("catalog must be published to add an access entitlement");
      if (flag(row, "visibleToEveryone"))
        refuse("catalog is visible to everyone, cannot add access entitlements");
    }),
  },
  {
    name: "RemoveCatalogBindings",
    summary: "Lets the holders of entitlements no longer see an access profile.",
    method: "DELETE",
    path: `${ITEM}/visibility_bindings`,
    request: bindings,
    response: doneReply,
    answer: removing("bindings"),
  },
];

/** A list of what a part of a profile names, as entitlements. */
function shownAs(name: string, summary: string, segment: string, part: Part): Operation {
  return listing<EntitlementRow>({
    name,
    summary,
    method: "GET",
    path: `${ITEM}/${segment}`,
    request: takes("ListEntitlementsRequest", paging),
    response: page(`${SERVICE}ListEntitlementsResponse`, entitlementView, expanded),
    among: (request, world) => [
      refsOf(find(request, world), part).map(
        (ref) => world.store.entitlements.get(ref.appId, ref.id) ?? { ...ref, displayName: "" },
      ),
    ],
    shows: (appEntitlement) => ({ appEntitlement }),
  });
}

/** The part of the profile's row that a list is kept in, and the field that names entitlements of it. */
const FIELDS = { entries: "appEntitlements", bindings: "accessEntitlements" } as const;

type Part = keyof typeof FIELDS;

/** An entitlement as references write it. */
interface Ref extends JsonObject {
  readonly appId: string;
  readonly id: string;
}

/** The entitlements whose holders see a profile. */
function boundTo(row: JsonObject): readonly Ref[] {
  return refsOf(row, "bindings");
}

function find(request: JsonObject, { store }: World): NamedRow {
  return existing(store.catalogs.get(ROOT, text(request, "catalogId")));
}

function refsOf(row: JsonObject, name: string): readonly Ref[] {
  return parts(row, name).map((ref) => ({ appId: text(ref, "appId"), id: text(ref, "id") }));
}

/** Keeps each entitlement once; the order in which the service shows them is not known. */
function keeping(
  part: Part,
  next: (row: NamedRow, request: JsonObject, world: World) => readonly Ref[],
): Operation["answer"] {
  return (request, world) => {
    const row = find(request, world);
    const refs = new Map(next(row, request, world).map((ref) => [refKey(ref), ref]));
    const changed = { [part]: [...refs.values()], updatedAt: writeTimestamp(world.now) };
    world.store.catalogs.put(ROOT, row.id, { ...row, ...changed });
    return {};
  };
}

/** The entitlements that a request names, each of which the tenant has. */
function named(request: JsonObject, part: Part, { store }: World): readonly Ref[] {
  const refs = refsOf(request, FIELDS[part]);
  // The status of an entitlement that is not there is a guess.
  if (!store.open) for (const { appId, id } of refs) existing(store.entitlements.get(appId, id));
  return refs;
}

function adding(part: Part, refuses: (row: NamedRow) => void = () => undefined): Operation["answer"] {
  return keeping(part, (row, request, world) => {
    refuses(row);
    return [...refsOf(row, part), ...named(request, part, world)];
  });
}

function removing(part: Part): Operation["answer"] {
  return keeping(part, (row, request) => {
    const left = refsIn(request, FIELDS[part]);
    return refsOf(row, part).filter((ref) => !left.has(refKey(ref)));
  });
}

const PACKAGE = "c1.api.requestcatalog.v1.";

const view = message(`${PACKAGE}RequestCatalogView`, {
  requestCatalog: catalog,
  memberCount: "int64",
  accessEntitlementsPath: "string",
  createdByUserPath: "string",
});

const reply = message(`${SERVICE}GetResponse`, { requestCatalogView: view, ...expanded });

/** Access profiles, which the service calls request catalogs. Names repeat. */
export const catalogs = operationsOf({
  noun: ["Catalog", "Catalogs"],
  at: "/api/v1/catalogs",
  service: SERVICE,
  record: catalog,
  view,
  viewed(row, { store }, verb) {
    if (verb === "List") return { requestCatalog: row };
    const memberCount = text(row, "memberCount") || "0";
    if (verb !== "Get") return { requestCatalog: row, memberCount };
    const accessEntitlements = boundTo(row).map((ref) => store.entitlements.get(ref.appId, ref.id) ?? ref);
    return { requestCatalog: { ...row, accessEntitlements }, memberCount };
  },
  rows: (store) => store.catalogs,
  readsDeleted: (row) => row ?? existing<NamedRow>(row),
  written,
  required: ["display_name"],
  keeps(sent, { before }) {
    // How the service treats it is not known.
    if (flag(sent, "visibleToEveryone") && before !== undefined && boundTo(before).length > 0)
      throw new Refusal("invalidArgument", "catalog has access entitlements, cannot be visible to everyone");
    return sent;
  },
  removes(row, world) {
    const { store } = world;
    const { resources, entitlements } = profileBelongings(row, store.c1AppId);
    for (const { appId, id } of resources) {
      const kept = store.resources.get(appId, id);
      const deletedAt = writeTimestamp(world.now);
      if (kept !== undefined) store.resources.put(appId, id, { ...kept, deletedAt });
    }
    for (const { appId, id } of entitlements) {
      const own = store.entitlements.get(appId, id);
      if (own !== undefined && !isDeleted(own)) removeEntitlement(own, world);
    }
    return omit(row, ["entries", "bindings", "bundle"]);
  },
  calls: {
    List: [
      "Lists the access profiles, each with a member count of 0.",
      "ListRequest",
      page(`${SERVICE}ListResponse`, view, expanded),
    ],
    Create: ["Makes an access profile, also where another one has its name.", "CreateRequest", reply],
    Get: [
      "Gives one access profile with its real member count; a deleted one with its time.",
      "GetRequest",
      reply,
    ],
    Update: [
      "Changes the masked fields of an access profile.",
      "UpdateRequest",
      reply,
      { catalog, updateMask: "mask", expandMask: expansion(`${PACKAGE}RequestCatalogExpandMask`) },
    ],
    Delete: [
      "Deletes an access profile with its entries, its visibility and its automation.",
      "GetRequest",
      doneReply,
    ],
  },
});
