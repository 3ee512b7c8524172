import { FULL, type Operation } from "../answer/operation.js";
import { searchResourcesReply, searchResourcesRequest } from "../messages/resource.js";
import { parts, text, texts } from "../wire/member.js";
import { isDeleted } from "./existing.js";
import { pageOf } from "./page.js";
import { textSearchOf } from "./textSearch.js";

/** The things in apps that entitlements are about: looked up here. */
export const resources = [
  {
    name: "SearchResources",
    summary: "Finds resources in all apps.",
    method: "POST",
    path: "/api/v1/search/app_resources",
    interfaces: FULL,
    standing: "known",
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
      // Resources of a sandbox have no owners.
      const isOwned = texts(request, "ownerUserIds").length > 0;
      const page = pageOf(
        request,
        world,
        groups,
        (row) =>
          !isOwned &&
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
