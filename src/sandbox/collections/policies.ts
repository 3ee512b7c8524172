import type { JsonObject } from "../../model/json.js";
import type { Operation } from "../answer/operation.js";
import { listPoliciesReply, listPoliciesRequest, searchPoliciesRequest } from "../messages/policy.js";
import { ROOT } from "../tenant/store.js";
import { part, parts, text } from "../wire/member.js";
import { isDeleted } from "./existing.js";
import { pageOf } from "./page.js";
import { textSearchOf } from "./textSearch.js";

/** What is done about requests, revocations and reviews: looked up here. */
export const policies = [
  {
    name: "ListPolicies",
    summary: "Lists the policies.",
    method: "GET",
    path: "/api/v1/policies",
    request: listPoliciesRequest,
    response: listPoliciesReply,
    answer(request, world) {
      const page = pageOf(request, world, [world.store.policies.of(ROOT)], (row) => !isDeleted(row));
      return { list: page.rows, nextPageToken: page.nextPageToken };
    },
  },
  {
    name: "SearchPolicies",
    summary: "Finds policies by id or by name, without regard to case.",
    method: "POST",
    path: "/api/v1/search/policies",
    request: searchPoliciesRequest,
    response: listPoliciesReply,
    answer(request, world) {
      const ids = new Set(parts(request, "refs").map((ref) => text(ref, "id")));
      const isFound = textSearchOf(request, world);
      const page = pageOf(
        request,
        world,
        [world.store.policies.of(ROOT)],
        (row) =>
          !isDeleted(row) && (ids.size === 0 ? isInView(request, row) : ids.has(row.id)) && isFound(row),
      );
      return { list: page.rows, nextPageToken: page.nextPageToken };
    },
  },
] as const satisfies readonly Operation[];

/** Unasked, policies that belong to one app or entitlement are left out. */
function isInView(request: JsonObject, row: JsonObject): boolean {
  const isLocal = part(row, "scope") !== undefined;
  switch (text(request, "scopeView")) {
    case "POLICY_SCOPE_VIEW_ALL":
      return true;
    case "POLICY_SCOPE_VIEW_SCOPED":
      return isLocal;
    default:
      return !isLocal;
  }
}
