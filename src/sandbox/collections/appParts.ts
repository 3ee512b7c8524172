import type { JsonObject } from "../../model/json.js";
import { type Operation, Refusal, type World } from "../answer/operation.js";
import { ROOT } from "../tenant/store.js";
import type { AppRow } from "../tenant/tenant.js";
import { list, message, names } from "../wire/descriptor.js";
import { omit, part, pick, text } from "../wire/member.js";
import { appOf } from "./owned.js";
import { maskOf } from "./table.js";

const APP = "c1.api.app.v1.";
const AT = "/api/v1/apps/{app_id}";

const written = {
  defaultsEnabled: "bool",
  resourceTypeIds: list("string"),
  catalogIds: list("string"),
  requestPolicyId: "string",
  requestSchemaId: "string",
  emergencyGrantEnabled: "bool",
  emergencyGrantPolicyId: "string",
  durationUnset: message("google.protobuf.Empty", {}),
  durationGrant: "duration",
} as const;
const ONE_OF = { max_grant_duration: ["durationUnset", "durationGrant"] };
const STATES = ["UNSPECIFIED", "RUNNING", "SUCCESS", "FAILED", "CANCELING", "CANCEL_SUCCESS", "CANCEL_ERROR"];
const defaults = message(
  `${APP}AppAccessRequestDefaults`,
  { appId: "string", ...written, state: names("APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_", ...STATES) },
  ONE_OF,
);
const controlled = {
  notify: "bool",
  notifyAfterDays: "int32",
  revoke: "bool",
  revokeAfterDays: "int32",
} as const;
const controls = message(`${APP}AppUsageControls`, { appId: "string", ...controlled });

/** The request defaults of an app, which the service writes into its entitlements, and its usage controls. */
export const appParts: readonly Operation[] = [
  {
    name: "GetAppRequestDefaults",
    summary: "Gives the request defaults of an app.",
    method: "GET",
    path: `${AT}/access_request_defaults`,
    request: message(`${APP}GetAppAccessRequestDefaultsRequest`, { appId: "string" }),
    response: defaults,
    answer: (request, world) => shown(appOf(request, world), "requestDefaults"),
  },
  {
    name: "SetAppRequestDefaults",
    summary: "Replaces the request defaults of an app, and writes them into its entitlements.",
    method: "POST",
    path: `${AT}/access_request_defaults`,
    request: message(`${APP}CreateAppAccessRequestDefaultsRequest`, { appId: "string", ...written }, ONE_OF),
    response: defaults,
    answer(request, world) {
      const row = appOf(request, world);
      // The status is a guess.
      if (row.id === world.store.c1AppId)
        throw new Refusal("failedPrecondition", "this app has no request defaults");
      const sent = pick(request, Object.keys(written));
      const state = `APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_${world.quirks.defaultsRun ?? "SUCCESS"}`;
      if (sent.defaultsEnabled === true && state.endsWith("SUCCESS")) rewrite(row, sent, world);
      return shown(put({ ...row, requestDefaults: { ...sent, state } }, world), "requestDefaults");
    },
  },
  {
    name: "GetAppUsageControls",
    summary: "Gives the usage controls of an app.",
    method: "GET",
    path: `${AT}/usage_controls`,
    request: message(`${APP}GetAppUsageControlsRequest`, { appId: "string" }),
    response: message(`${APP}GetAppUsageControlsResponse`, {
      appUsageControls: controls,
      hasUsageData: "bool",
    }),
    answer(request, world) {
      const row = appOf(request, world);
      return { appUsageControls: shown(row, "usageControls"), hasUsageData: row.hasUsageData === true };
    },
  },
  {
    name: "SetAppUsageControls",
    summary: "Changes the masked usage controls of an app.",
    method: "POST",
    path: `${AT}/usage_controls`,
    request: message(`${APP}UpdateAppUsageControlsRequest`, {
      appId: "string",
      appUsageControls: controls,
      updateMask: "mask",
    }),
    response: message(`${APP}UpdateAppUsageControlsResponse`, { appUsageControls: controls }),
    answer(request, world) {
      const row = appOf(request, world);
      const mask = maskOf(request, Object.keys(controlled));
      const kept = omit(part(row, "usageControls") ?? {}, mask);
      const usageControls = { ...kept, ...pick(part(request, "appUsageControls") ?? {}, mask) };
      return { appUsageControls: shown(put({ ...row, usageControls }, world), "usageControls") };
    },
  },
];

function put(row: AppRow, { store }: World): AppRow {
  return store.apps.put(ROOT, row.id, row);
}

function shown(row: AppRow, name: string): JsonObject {
  return { appId: row.id, ...part(row, name) };
}

/** The stored policy, duration and form of every entitlement of the types that is not locked. */
function rewrite({ id }: AppRow, sent: JsonObject, { store }: World): void {
  const types = Array.isArray(sent.resourceTypeIds) ? sent.resourceTypeIds : [];
  const given = {
    ...pick(sent, [
      "emergencyGrantEnabled",
      "emergencyGrantPolicyId",
      "requestSchemaId",
      "durationUnset",
      "durationGrant",
    ]),
    grantPolicyId: text(sent, "requestPolicyId"),
  };
  for (const row of store.entitlements.of(id)) {
    const isLocked = row.overrideAccessRequestsDefaults === true;
    if (isLocked || !types.includes(text(row, "appResourceTypeId"))) continue;
    const rest = omit(row, ["durationUnset", "durationGrant"]);
    store.entitlements.put(id, row.id, {
      ...rest,
      ...given,
      id: row.id,
      appId: id,
      displayName: row.displayName,
    });
  }
}
