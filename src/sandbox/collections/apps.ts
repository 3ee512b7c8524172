import { type Operation, Refusal } from "../answer/operation.js";
import { app, written } from "../messages/app.js";
import { page, paging } from "../messages/members.js";
import { policyRef } from "../messages/policy.js";
import { ROOT } from "../tenant/store.js";
import type { AppRow } from "../tenant/tenant.js";
import { list, message } from "../wire/descriptor.js";
import { flag, parts, text } from "../wire/member.js";
import { listing, textSearchOf } from "./listing.js";
import { existing, find } from "./owned.js";
import { operationsOf } from "./table.js";

const APP = "c1.api.app.v1.";

const found = page(`${APP}AppServiceListResponse`, app);

/** The fields of an app that name a policy. */
const POLICIES = ["grantPolicyId", "revokePolicyId", "certifyPolicyId"];

/** The apps of the tenant: read, and where no other system made them, made and deleted. */
export const apps: readonly Operation[] = [
  ...operationsOf<AppRow>({
    noun: ["App", "Apps"],
    at: "/api/v1/apps",
    service: APP,
    record: app,
    rows: (store) => store.apps,
    find: (request, world) => find(world, "apps", text(request, "id")),
    readsDeleted: existing,
    written,
    updated: ["appUserMapper"],
    owners: "owners",
    required: ["display_name"],
    keeps(sent, { before, names, world }) {
      if (before?.id === world.store.c1AppId && names.includes("displayName"))
        throw new Refusal("failedPrecondition", "this app cannot be renamed");
      return before === undefined ? { ...sent, isManuallyManaged: true } : sent;
    },
    removes(row, { store }) {
      const isOthers =
        Number(row.connectorVersion ?? 0) > 0 || text(row, "parentAppId") !== "" || flag(row, "isDirectory");
      if (isOthers || row.id === store.c1AppId)
        throw new Refusal("failedPrecondition", "this app cannot be deleted");
      return row;
    },
    calls: {
      List: ["Lists the apps.", "AppServiceListRequest", found],
      Get: [
        "Gives one app; a deleted one is not found.",
        "AppServiceGetRequest",
        message(`${APP}AppServiceGetResponse`, { app }),
      ],
      Create: [
        "Makes an app without a connector.",
        "CreateAppRequest",
        message(`${APP}CreateAppResponse`, { app }),
        { ...written, owners: list("string", 32) },
      ],
      Update: [
        "Changes the masked fields of an app.",
        "UpdateAppRequest",
        message(`${APP}UpdateAppResponse`, { app }),
        { app, updateMask: "mask" },
      ],
      Delete: [
        "Deletes an app that people made.",
        "DeleteAppRequest",
        message(`${APP}DeleteAppResponse`, {}),
      ],
    },
  }),
  listing<AppRow>({
    name: "SearchApps",
    summary: "Finds apps by name, without regard to case.",
    method: "POST",
    path: "/api/v1/search/apps",
    request: message(`${APP}SearchAppsRequest`, {
      appIds: list("string"),
      excludeAppIds: list("string"),
      displayName: "string",
      query: "string",
      onlyDirectories: "bool",
      policyRefs: list(policyRef),
      ...paging,
    }),
    response: found,
    among: (_, { store }) => [store.apps.of(ROOT)],
    any: { appIds: "id" },
    none: { excludeAppIds: "id" },
    also(request, world) {
      const isFound = textSearchOf(request, world);
      const policies = parts(request, "policyRefs").map((ref) => text(ref, "id"));
      const isOfPolicy = (row: AppRow) =>
        policies.length === 0 || POLICIES.some((name) => policies.includes(text(row, name)));
      return (row) =>
        (!flag(request, "onlyDirectories") || flag(row, "isDirectory")) && isOfPolicy(row) && isFound(row);
    },
  }),
];
