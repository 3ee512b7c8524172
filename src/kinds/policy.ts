import type { Call } from "../model/call.js";
import { isObject, type Json } from "../model/json.js";
import type { Named } from "./named.js";
import { api, isGone, textOf } from "./spelling.js";

/** The list of the tenant's policies. Unasked, the service leaves out those that belong to one app or entitlement. */
export function listPolicies(): Call {
  return searchPolicies({});
}

/** The search for policies by their ids. */
export function searchPoliciesById(ids: readonly string[]): Call {
  return searchPolicies({ refs: ids.map((id) => ({ id })) });
}

/** What one row of either shows; undefined when the policy is deleted. */
export function readPolicy(row: Json): Named | undefined {
  if (!isObject(row) || isGone(row)) return undefined;
  return { id: textOf(row, "id"), name: textOf(row, "displayName") };
}

// docs/service/more-kinds.md, section 6: a local policy with the same name would stay unseen without the view.
function searchPolicies(filter: { readonly refs?: readonly { readonly id: string }[] }): Call {
  return {
    method: "POST",
    path: api("search", "policies"),
    body: { ...filter, scopeView: "POLICY_SCOPE_VIEW_ALL" },
    effect: "read",
    expects: ["list"],
  };
}
