import type { Operation } from "../answer/operation.js";
import { appReply, appRequest, listAppsReply, listAppsRequest, searchAppsRequest } from "../messages/app.js";
import { ROOT } from "../tenant/store.js";
import { flag, text, texts } from "../wire/member.js";
import { existing, isDeleted } from "./existing.js";
import { findApp } from "./owned.js";
import { pageOf } from "./page.js";
import { textSearchOf } from "./textSearch.js";

/** Looking for apps; the sandbox makes and changes none. */
export const apps = [
  {
    name: "ListApps",
    summary: "Lists the apps.",
    method: "GET",
    path: "/api/v1/apps",
    request: listAppsRequest,
    response: listAppsReply,
    answer(request, world) {
      const page = pageOf(request, world, [world.store.apps.of(ROOT)], (row) => !isDeleted(row));
      return { list: page.rows, nextPageToken: page.nextPageToken };
    },
  },
  {
    name: "GetApp",
    summary: "Gives one app; a deleted one is not found.",
    method: "GET",
    path: "/api/v1/apps/{id}",
    request: appRequest,
    response: appReply,
    answer: (request, world) => ({ app: existing(findApp(world, text(request, "id"))) }),
  },
  {
    name: "SearchApps",
    summary: "Finds apps by name, without regard to case.",
    method: "POST",
    path: "/api/v1/search/apps",
    request: searchAppsRequest,
    response: listAppsReply,
    answer(request, world) {
      const ids = new Set(texts(request, "appIds"));
      const excluded = new Set(texts(request, "excludeAppIds"));
      const isFound = textSearchOf(request, world);
      const { rows, nextPageToken } = pageOf(
        request,
        world,
        [world.store.apps.of(ROOT)],
        (row) =>
          !isDeleted(row) &&
          (ids.size === 0 || ids.has(row.id)) &&
          !excluded.has(row.id) &&
          (!flag(request, "onlyDirectories") || flag(row, "isDirectory")) &&
          isFound(row),
      );
      return { list: rows, nextPageToken };
    },
  },
] as const satisfies readonly Operation[];
