import { isObject, type Json, type JsonObject } from "../../../src/model/json.js";
import type { Entry } from "../../../src/sandbox/log.js";
import { ownerSent } from "./owners.js";
import { MADE, PLACES, type Place } from "./places.js";
import { ruleIn, without } from "./rows.js";

/** Whether a request of the log is about an object. */
export function isAbout({ path, method, operation }: Entry, place: Place): boolean {
  if (place.parts?.some((part) => path.endsWith(part)) === true) return true;
  if (place.path !== null && place.isParent)
    return path.endsWith(place.path) || path.includes(`${place.path}/owners/`);
  if (place.path !== null) return `${path}/`.includes(place.path) || path.endsWith(place.path);
  const isWrite = method !== "GET" && /ResourceType$/.test(operation ?? "");
  return (
    place === MADE && isWrite && PLACES.every((other) => other.path === null || !path.endsWith(other.path))
  );
}

/** Whether a request shows its sender what an object contains, or in the service's words that it is not there. */
export function showed(entry: Entry, place: Place): boolean {
  const isWhole = entry.fault === null || entry.fault === "quirks" || entry.fault === "latency";
  const isDenied = entry.status === 404 && (isWhole || entry.fault === "404");
  if (!entry.delivered || !(isDenied || (isWhole && entry.status === 200))) return false;
  if (LISTS[place.kind] !== undefined && entry.operation === LISTS[place.kind]) return true;
  return !entry.path.includes("/owners/") && isAbout(entry, place);
}

/** The lists that show whole objects. */
const LISTS: Partial<Record<Place["kind"], string>> = {
  ResourceType: "ListResourceTypes",
  Webhook: "ListWebhooks",
  Resource: "ListResources",
  Entitlement: "ListEntitlements",
  AccessProfile: "ListCatalogs",
  App: "ListApps",
  Policy: "SearchPolicies",
  RiskLevel: "ListRiskLevels",
  ComplianceFramework: "ListComplianceFrameworks",
};

/** The member of a masked update that holds the fields, by operation. */
const WRAPPERS: Readonly<Record<string, string>> = {
  UpdateResourceType: "appResourceType",
  UpdateWebhook: "webhook",
  UpdateResource: "appResource",
  UpdateEntitlement: "entitlement",
  UpdateTemplate: "accessReviewTemplate",
  UpdateCatalog: "catalog",
  UpdateApp: "app",
  UpdatePolicy: "policy",
};

/** The units that a write sent, with their values; a unit that the write clears by leaving it out is null. */
export function sentIn({ operation, body }: Entry): Readonly<Record<string, Json>> {
  if (!isObject(body)) return {};
  if (/^(Add|Remove)\w+Owner/.test(operation ?? "")) return { owners: ownerSent(operation ?? "", body) };
  switch (operation) {
    case "SetScopeAndEntitlements":
      return { scope: body.scope ?? null, entitlements: body.entitlements ?? null };
    case "CreateAutomation":
      return conditionApart(isObject(body.automation ?? null) ? (body.automation as JsonObject) : {});
    case "UpdateAutomation":
      return conditionApart(body);
    case "UpdateResourceType":
    case "UpdateWebhook":
    case "UpdateResource":
    case "UpdateEntitlement":
    case "UpdateTemplate":
    case "UpdateCatalog":
    case "UpdateApp":
    case "UpdatePolicy":
      return maskedIn(body, WRAPPERS[operation] ?? "");
    case "SetCatalogEntries":
      return { requestableEntries: body.appEntitlements ?? null };
    case "AddCatalogBindings":
      return { visibilityBindings: body.accessEntitlements ?? null };
    case "RemoveCatalogBindings":
      return { visibilityBindings: null };
    case "SetAppRequestDefaults":
      return { requestDefaults: without(body, ["appId", "durationUnset"]) };
    case "SetAppUsageControls":
      return { usageControls: without(body.appUsageControls ?? null, []) };
    case "UpdateMonitor": {
      const { displayName = null, description = null, negateGroupB = null } = body;
      return { displayName, description, negateGroupB };
    }
    case "CreateAppEntitlementMonitorBinding":
    case "DeleteAppEntitlementMonitorBinding": {
      const { appId = "", appEntitlementId: id = "", entitlementGroup } = body;
      const isMade = operation.startsWith("Create");
      return { [`group${String(entitlementGroup).at(-1)}`]: isMade ? [{ appId, id }] : null };
    }
    case "CreateConfigurationRule":
    case "UpdateConfigurationRule":
      return { rules: { ordered: [ruleIn(body)] } };
    case "DeleteConfigurationRule":
      return { rules: null };
    case "CreateResourceType":
      return { displayName: body.displayName ?? null };
    default:
      return {};
  }
}

/** What a masked update sends: a unit that the mask alone names is cleared. */
function maskedIn(body: JsonObject, wrapper: string): Readonly<Record<string, Json>> {
  const wrapped = body[wrapper] ?? null;
  const fields = isObject(wrapped) ? wrapped : {};
  const units = String(body.updateMask ?? "")
    .split(",")
    .map((name): readonly [string, Json] => {
      if (name === "durationUnset") return ["durationGrant", null];
      const value = fields[name] ?? null;
      if (name === "rules" && Array.isArray(value))
        return [name, value.length === 0 ? null : { ordered: value }];
      if (name !== "provisionerPolicy") return [name, value];
      return ["provisionPolicy", isObject(value) && "unconfigured" in value ? null : value];
    });
  return Object.fromEntries(units);
}

const CONDITIONS = ["none", "entitlements", "cel", "basic", "futureConditions"];

function conditionApart(body: JsonObject): Readonly<Record<string, Json>> {
  const condition = Object.entries(body).filter(([name]) => CONDITIONS.includes(name));
  const { displayName = null, description = null } = body;
  return { displayName, description, condition: Object.fromEntries(condition) };
}
