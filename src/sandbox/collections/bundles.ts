import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import { Refusal } from "../answer/refusal.js";
import {
  BUNDLE_FIELDS,
  bundle,
  bundleRequest,
  deleteBundleReply,
  setBundleRequest,
} from "../messages/bundle.js";
import { ROOT } from "../tenant/store.js";
import { omit, part, pick, text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { born, existing } from "./existing.js";

const PATH = "/api/v1/catalogs/{request_catalog_id}/bundle_automation";

/** The rules that enroll people in access profiles; a profile has at most one. */
export const bundles = [
  {
    name: "GetBundleAutomation",
    summary: "Gives the automation of an access profile, without an envelope.",
    method: "GET",
    path: PATH,
    request: bundleRequest,
    response: bundle,
    answer: (request, world) => shown(part(find(request, world), "bundle")),
  },
  {
    name: "SetBundleAutomation",
    summary: "Makes or replaces the automation of an access profile as a whole.",
    method: "POST",
    path: PATH,
    request: setBundleRequest,
    response: bundle,
    answer: set,
  },
  {
    name: "CreateBundleAutomation",
    summary: "Makes the automation of an access profile.",
    method: "POST",
    path: `${PATH}/create`,
    request: setBundleRequest,
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
    request: bundleRequest,
    response: deleteBundleReply,
    answer(request, world) {
      const row = find(request, world);
      shown(part(row, "bundle"));
      const updatedAt = writeTimestamp(world.now);
      world.store.catalogs.put(ROOT, row.id, { ...omit(row, ["bundle"]), id: row.id, updatedAt });
      return {};
    },
  },
] as const satisfies readonly Operation[];

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
    ...pick(request, BUNDLE_FIELDS),
    requestCatalogId: row.id,
    tenantId: world.store.tenantId,
    ...born(world),
    ...pick(before, ["createdAt"]),
  };
  const updatedAt = writeTimestamp(world.now);
  const kept = world.store.catalogs.put(ROOT, row.id, { ...row, bundle: made, updatedAt });
  return shown(part(kept, "bundle"));
}

function shown(row: JsonObject | undefined): JsonObject {
  if (row === undefined) throw new Refusal("notFound", "not found");
  return row;
}
