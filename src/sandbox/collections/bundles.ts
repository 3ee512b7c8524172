import type { JsonObject } from "../../model/json.js";
import { type Operation, Refusal, type World } from "../answer/operation.js";
import { times } from "../messages/members.js";
import { entitlementRef } from "../messages/scope.js";
import { ROOT } from "../tenant/store.js";
import { list, message, told } from "../wire/descriptor.js";
import { omit, part, pick, text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { born, existing } from "./owned.js";

const CATALOG = "c1.api.requestcatalog.v1.";
const PATH = "/api/v1/catalogs/{request_catalog_id}/bundle_automation";

/** The fields of an automation that a client writes, all at once. */
const written = {
  enabled: "bool",
  createTasks: "bool",
  disableCircuitBreaker: "bool",
  enforceOnSmallProfiles: "bool",
  removedMembersThresholdPercent: "int64",
  entitlements: message(`${CATALOG}BundleAutomationRuleEntitlement`, {
    entitlementRefs: list(entitlementRef),
  }),
  cel: message(`${CATALOG}BundleAutomationRuleCEL`, { expression: "string" }),
} as const;

const conditions = { conditions: ["entitlements", "cel"] } as const;

const STATES = ["UNSPECIFIED", "SUCCESS", "FAILURE", "IN_PROGRESS", "WAITING_FOR_APPROVAL"] as const;

/** The automation of an access profile: no envelope is around it. */
const bundle = message(
  `${CATALOG}BundleAutomation`,
  {
    requestCatalogId: "string",
    tenantId: "string",
    ...written,
    state: message(`${CATALOG}BundleAutomationRunState`, {
      status: told("BUNDLE_AUTOMATION_RUN_STATUS_", ...STATES),
      errorMessage: "string",
      lastRunAt: "timestamp",
    }),
    ...times,
  },
  conditions,
);

const ofOne = { requestCatalogId: "string" } as const;
const request = message(`${CATALOG}GetBundleAutomationRequest`, ofOne);
const setting = message(`${CATALOG}SetBundleAutomationRequest`, { ...ofOne, ...written }, conditions);

/** The rules that enroll people in access profiles; a profile has at most one. */
export const bundles: readonly Operation[] = [
  {
    name: "GetBundleAutomation",
    summary: "Gives the automation of an access profile, without an envelope.",
    method: "GET",
    path: PATH,
    request,
    response: bundle,
    answer: (request, world) => existing(part(find(request, world), "bundle")),
  },
  {
    name: "SetBundleAutomation",
    summary: "Makes or replaces the automation of an access profile as a whole.",
    method: "POST",
    path: PATH,
    request: setting,
    response: bundle,
    answer: set,
  },
  {
    name: "CreateBundleAutomation",
    summary: "Makes the automation of an access profile.",
    method: "POST",
    path: `${PATH}/create`,
    request: setting,
    response: bundle,
    answer(request, world) {
      // The status is a guess.
      if (part(find(request, world), "bundle") !== undefined)
        throw new Refusal("alreadyExists", "bundle automation already exists");
      return set(request, world);
    },
  },
  {
    name: "DeleteBundleAutomation",
    summary: "Deletes the automation of an access profile.",
    method: "DELETE",
    path: PATH,
    request,
    response: message(`${CATALOG}DeleteBundleAutomationResponse`, {}),
    answer(request, world) {
      const row = find(request, world);
      existing(part(row, "bundle"));
      const updatedAt = writeTimestamp(world.now);
      world.store.catalogs.put(ROOT, row.id, { ...omit(row, ["bundle"]), id: row.id, updatedAt });
      return {};
    },
  },
];

function find(request: JsonObject, { store }: World) {
  return existing(store.catalogs.get(ROOT, text(request, "requestCatalogId")));
}

function set(request: JsonObject, world: World): JsonObject {
  const row = find(request, world);
  const percent = Number(text(request, "removedMembersThresholdPercent") || "0");
  if (percent < 0 || percent > 100)
    throw new Refusal("invalidArgument", "removed_members_threshold_percent must be between 0 and 100");
  const before = part(row, "bundle") ?? {};
  const made = {
    ...pick(request, Object.keys(written)),
    requestCatalogId: row.id,
    tenantId: world.store.tenantId,
    ...born(world),
    ...pick(before, ["createdAt"]),
  };
  const updatedAt = writeTimestamp(world.now);
  const kept = world.store.catalogs.put(ROOT, row.id, { ...row, bundle: made, updatedAt });
  return existing(part(kept, "bundle"));
}
