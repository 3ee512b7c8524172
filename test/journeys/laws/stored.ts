import { isObject, type Json, type JsonObject } from "../../../src/model/json.js";
import { UNKNOWN_FIELD } from "../../../src/sandbox/answer/routes.js";
import type { Sandbox } from "../../../src/sandbox/http/server.js";
import { APP, MADE, MADE_NAME, PLACES, type Place } from "./places.js";
import { rowIn } from "./rows.js";

/** What the tenant keeps of one object, unit by unit; `others` is everything outside the units of a manifest. */
export type Stored = Readonly<Record<string, Json>>;

/** What the tenant keeps at each place, read from the store itself; null where there is nothing. */
export function storedIn(sandbox: Sandbox): readonly (Stored | null)[] {
  return PLACES.map((place) => storedAt(place, sandbox));
}

/** How many resource types have the name of the one that the service gives its id. */
export function twinsIn({ store }: Sandbox): number {
  const rows = store.resourceTypes.of(APP).filter(({ deletedAt }) => deletedAt === undefined);
  return rows.filter(({ displayName, id }) => displayName === MADE_NAME && !isNamed(id)).length;
}

const CONDITIONS = ["none", "entitlements", "cel", "basic", "futureConditions"];
const TIMES = new Set(["createdAt", "updatedAt", "lastRunStatus"]);

function storedAt(place: Place, { store }: Sandbox): Stored | null {
  const { kind, identity } = place;
  switch (kind) {
    case "EntitlementAutomation": {
      const row = store.automations.get(String(identity.appId), String(identity.appEntitlementId));
      return row === undefined || row.deletedAt !== undefined
        ? null
        : byUnit(row, ["displayName", "description"]);
    }
    case "TemplateScope": {
      const id = String(identity.templateId);
      const { scope, ...others } = store.templates.get("", id) ?? { id };
      const rows = store.setups.get("", id)?.entitlements ?? [];
      return {
        ...(scope === undefined ? {} : { scope }),
        entitlements: rows.map(withoutTimes).sort(byText),
        others: withoutTimes(others),
      };
    }
    case "Webhook":
    case "Resource":
    case "Entitlement":
    case "ReviewTemplate":
    case "AccessProfile":
    case "App":
    case "AppConfigurationRules":
    case "Policy":
    case "RiskLevel":
    case "ComplianceFramework":
    case "AccessConflict": {
      const row = rowIn({ store }, place);
      return row === undefined ? null : byUnit(row, UNITS[kind]);
    }
    case "ResourceType": {
      const rows = store.resourceTypes.of(APP).filter(({ deletedAt }) => deletedAt === undefined);
      const row =
        place === MADE
          ? rows.find(({ displayName, id }) => displayName === MADE_NAME && !isNamed(id))
          : rows.find(({ id }) => id === identity.id);
      return row === undefined ? null : byUnit(row, ["displayName", "traitIds"]);
    }
  }
}

/** What a manifest may own of an object that is one row. */
const UNITS = {
  Webhook: ["displayName", "url", "description", "callbackTimeout"],
  Resource: ["displayName", "description", "owners"],
  Entitlement: [
    "owners",
    "displayName",
    "description",
    "purpose",
    "slug",
    "durationGrant",
    "provisionPolicy",
    "grantPolicyId",
    "revokePolicyId",
    "emergencyGrantEnabled",
    "riskLevelValueId",
    "complianceFrameworkValueIds",
  ],
  ReviewTemplate: ["displayName", "description", "accessReviewDuration", "autoStartCampaign"],
  AccessProfile: [
    "displayName",
    "description",
    "published",
    "requestBundle",
    "requestableEntries",
    "visibilityBindings",
  ],
  App: [
    "displayName",
    "description",
    "grantPolicyId",
    "certifyPolicyId",
    "requestDefaults",
    "usageControls",
    "owners",
  ],
  AppConfigurationRules: ["rules"],
  Policy: ["displayName", "description", "policyType", "policySteps", "rules"],
  RiskLevel: ["value"],
  ComplianceFramework: ["value"],
  AccessConflict: ["displayName", "description", "negateGroupB", "groupA", "groupB"],
} as const;

function isNamed(id: Json): boolean {
  return PLACES.some(({ identity }) => identity.id === id);
}

function byUnit(row: JsonObject, names: readonly string[]): Stored {
  const units = Object.entries(row).filter(([name]) => names.includes(name));
  const condition = Object.entries(row).filter(([name]) => CONDITIONS.includes(name));
  const others = Object.entries(row).filter(
    ([name]) => !names.includes(name) && !CONDITIONS.includes(name) && !TIMES.has(name),
  );
  return {
    ...Object.fromEntries(units),
    condition: Object.fromEntries(condition),
    others: Object.fromEntries(others),
  };
}

function withoutTimes(row: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !TIMES.has(name)));
}

function byText(one: JsonObject, other: JsonObject): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

/**
 * A value in the one form that docs/service/live.md §10 gives it. Unset members are left out. Lists are sets, but for the
 * ordered ones. Users are the principals where nothing is said.
 */
export function plain(value: Json | undefined, name = ""): Json | undefined {
  if (value === undefined || value === null || value === false || value === "") return undefined;
  if (typeof value === "string")
    return value.endsWith("_UNSPECIFIED") || isUsers(name, value) ? undefined : value;
  if (Array.isArray(value)) {
    const items = value.flatMap((item) => plain(item) ?? []);
    if (ORDERED.has(name)) return items.length === 0 ? undefined : items;
    const texts = [...new Set(items.map((item) => JSON.stringify(item)))].sort();
    return texts.length === 0 ? undefined : texts.map((text) => JSON.parse(text) as Json);
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([member, item]) => {
    const kept = plain(item, member);
    return kept === undefined ? [] : [[member, kept] as const];
  });
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The units of which the service shows only whether an item is there: a manifest adds to them. */
export const ADDED_TO: ReadonlySet<string> = new Set(["groupA", "groupB"]);

/** The members whose lists are in an order that counts. */
const ORDERED = new Set(["steps", "ordered"]);

function isUsers(name: string, value: string): boolean {
  return name === "principalTypeFilter" && value === "PRINCIPAL_TYPE_FILTER_USERS";
}

/** A value without the members that a service adds to every object, whatever it is. */
export function withoutStray(value: Json | undefined): Json | undefined {
  return without(value, (name) => name === UNKNOWN_FIELD);
}

/** A value without the members that only a later version of the service knows. */
export function withoutLater(value: Json | undefined): Json | undefined {
  return without(value, (name) => name.startsWith("future"));
}

function without(value: Json | undefined, isLeftOut: (name: string) => boolean): Json | undefined {
  if (Array.isArray(value)) return value.flatMap((item) => without(item, isLeftOut) ?? []);
  if (value === undefined || !isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !isLeftOut(name));
  return Object.fromEntries(members.map(([name, item]) => [name, without(item, isLeftOut) ?? null]));
}

/** Whether two values are the same in their plain form; an empty scope equals an absent one. */
export function isSame(one: Json | undefined, other: Json | undefined, anySpace = false): boolean {
  return textOf(one, anySpace) === textOf(other, anySpace);
}

function textOf(value: Json | undefined, anySpace: boolean): string {
  const text = JSON.stringify(plain(value) ?? {});
  return anySpace ? text.replace(/(\\n|\s)+/g, " ") : text;
}

/** Whether a value contains every member and every row of another. */
export function contains(whole: Json | undefined, part: Json | undefined): boolean {
  const [one, other] = [plain(whole), plain(part)];
  if (other === undefined) return true;
  if (Array.isArray(other))
    return Array.isArray(one) && other.every((item) => one.some((each) => contains(each, item)));
  if (isObject(other)) {
    if (one === undefined || !isObject(one)) return Object.keys(other).length === 0 && one !== undefined;
    return Object.entries(other).every(([name, item]) => contains(one[name], item));
  }
  return one === other;
}
