import { Refusal } from "../answer/refusal.js";
import { catalog, doneReply, written } from "../messages/catalog.js";
import { expanded, expansion, page } from "../messages/members.js";
import { profileBelongings } from "../tenant/builtin.js";
import type { NamedRow } from "../tenant/tenant.js";
import { message } from "../wire/descriptor.js";
import { flag, omit, text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { removeEntitlement } from "./automated.js";
import { boundTo } from "./catalogParts.js";
import { existing, isDeleted } from "./existing.js";
import { operationsOf } from "./table.js";

const PACKAGE = "c1.api.requestcatalog.v1.";
const SERVICE = `${PACKAGE}RequestCatalogManagementService`;

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
