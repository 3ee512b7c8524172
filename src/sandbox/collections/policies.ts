import type { JsonObject } from "../../model/json.js";
import type { Operation } from "../answer/operation.js";
import { page, paging } from "../messages/members.js";
import { createOnlyOfPolicy, policy, policyRef, writtenToPolicy } from "../messages/policy.js";
import { ROOT } from "../tenant/store.js";
import type { NamedRow } from "../tenant/tenant.js";
import { list, message, names } from "../wire/descriptor.js";
import { omit, part, parts, pick, text } from "../wire/member.js";
import { listing, textSearchOf } from "./listing.js";
import { keptPolicy, unlessBuiltIn, unnamed } from "./policyRules.js";
import { operationsOf } from "./table.js";

const POLICY = "c1.api.policy.v1.";

const reply = message(`${POLICY}PolicyResponse`, { policy });
const found = page(`${POLICY}ListPolicyResponse`, policy);

/** What is done about requests, revocations and reviews: looked up, and written. */
export const policies: readonly Operation[] = [
  ...operationsOf({
    noun: ["Policy", "Policies"],
    at: "/api/v1/policies",
    service: POLICY,
    record: policy,
    rows: (store) => store.policies,
    written: writtenToPolicy,
    required: ["displayName", "policyType"],
    keeps(sent, { before, names, request, world }) {
      unlessBuiltIn(before, names, world);
      return {
        ...keptPolicy(sent, omit(before ?? {}, names), world),
        ...(before === undefined ? pick(request, ["scope"]) : {}),
      };
    },
    removes(row, world) {
      unlessBuiltIn(row, ["deletedAt"], world);
      unnamed(row.id, world);
      return row;
    },
    calls: {
      List: ["Lists the policies.", "ListPolicyRequest", found],
      Create: [
        "Makes a policy; one without steps for its type denies everything.",
        "CreatePolicyRequest",
        reply,
        { ...writtenToPolicy, ...createOnlyOfPolicy },
      ],
      Get: ["Gives a policy.", "GetPolicyRequest", reply],
      Update: [
        "Changes the masked fields of a policy; all of its steps are one field.",
        "UpdatePolicyRequest",
        reply,
        { policy, updateMask: "mask" },
      ],
      Delete: [
        "Deletes a policy that no other one names.",
        "DeletePolicyRequest",
        message(`${POLICY}DeletePolicyResponse`, {}),
      ],
    },
  }),
  listing<NamedRow>({
    name: "SearchPolicies",
    summary: "Finds policies by id or by name, without regard to case.",
    method: "POST",
    path: "/api/v1/search/policies",
    request: message(`${POLICY}SearchPoliciesRequest`, {
      displayName: "string",
      query: "string",
      refs: list(policyRef),
      scopeView: names("POLICY_SCOPE_VIEW_", "UNSPECIFIED", "GLOBAL", "SCOPED", "ALL", "GLOBAL_AND_OBJECT"),
      ...paging,
    }),
    response: found,
    among: (_, { store }) => [store.policies.of(ROOT)],
    also(request, world) {
      const ids = new Set(parts(request, "refs").map((ref) => text(ref, "id")));
      const isFound = textSearchOf(request, world);
      return (row) => (ids.size === 0 ? isInView(request, row) : ids.has(row.id)) && isFound(row);
    },
  }),
];

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
