import { FULL, type Operation } from "../answer/operation.js";
import { Refusal } from "../answer/refusal.js";
import { catalogReply, catalogRequest, listCatalogsReply, listCatalogsRequest } from "../messages/catalog.js";
import { ROOT } from "../tenant/store.js";
import { omit, text } from "../wire/member.js";
import { isDeleted } from "./existing.js";
import { pageOf } from "./page.js";

/** Access profiles, which the service calls request catalogs. */
export const catalogs = [
  {
    name: "ListCatalogs",
    summary: "Lists the access profiles, each with a member count of 0.",
    method: "GET",
    path: "/api/v1/catalogs",
    interfaces: FULL,
    standing: "known",
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
    name: "GetCatalog",
    summary: "Gives one access profile with its real member count; a deleted one with its time.",
    method: "GET",
    path: "/api/v1/catalogs/{id}",
    interfaces: FULL,
    standing: "known",
    request: catalogRequest,
    response: catalogReply,
    answer(request, world) {
      const row = world.store.catalogs.get(ROOT, text(request, "id"));
      if (row === undefined) throw new Refusal("notFound", "not found");
      return { requestCatalogView: { requestCatalog: row, memberCount: text(row, "memberCount") || "0" } };
    },
  },
] as const satisfies readonly Operation[];
