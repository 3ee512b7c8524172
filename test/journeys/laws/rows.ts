import { isObject, type Json, type JsonObject } from "../../../src/model/json.js";
import { BUILT_IN_TYPES } from "../../../src/sandbox/collections/attributes.js";
import type { Sandbox } from "../../../src/sandbox/http/server.js";
import type { Table } from "../../../src/sandbox/tenant/store.js";
import type { ListName, NamedRow, Tenant } from "../../../src/sandbox/tenant/tenant.js";
import { idOf } from "../../fakes/many.js";
import type { Contents } from "./contents.js";
import { isOwned, ownerRows, ownersIn, putOwners } from "./owners.js";
import { PLACES, type Place } from "./places.js";

/** How the tenant keeps the objects of a kind that are rows of a list. */
interface Kept {
  readonly list: ListName;
  /** The row of a place's contents, over what the row holds of others. */
  readonly row: (contents: JsonObject, before: JsonObject) => JsonObject;
  /** A row by the units of a manifest. */
  readonly units: (row: JsonObject) => JsonObject;
}

const plainly = (list: ListName, always: JsonObject = {}): Kept => ({
  list,
  row: (contents) => ({ ...always, ...contents }),
  units: (row) => row,
});

const attribute = (type: keyof typeof BUILT_IN_TYPES): Kept => ({
  ...plainly("attributes"),
  row: (contents) => ({ attributeTypeId: BUILT_IN_TYPES[type], ...contents }),
});

const KEPT: Partial<Record<Place["kind"], Kept>> = {
  Webhook: plainly("webhooks", { url: "https://old.example/", callbackTimeout: "691200s" }),
  Resource: plainly("resources"),
  ReviewTemplate: plainly("templates"),
  RiskLevel: attribute("riskLevel"),
  ComplianceFramework: attribute("complianceFramework"),
  AccessProfile: {
    list: "catalogs",
    row: ({ appId: _, requestableEntries: entries = [], visibilityBindings: bindings = [], ...fields }) => ({
      ...{ ...fields, entries, bindings },
    }),
    units: ({ entries = [], bindings = [], ...fields }) => ({
      ...{ ...fields, requestableEntries: entries, visibilityBindings: bindings },
    }),
  },
  Entitlement: {
    list: "entitlements",
    row: ({ provisionPolicy: provisionerPolicy = { unconfigured: {} }, ...fields }) => ({
      ...{ isManuallyManaged: true, ...fields, provisionerPolicy },
      ...(fields.durationGrant === undefined ? { durationUnset: {} } : {}),
    }),
    units({ durationUnset: _, synced: __, provisionerPolicy: policy = null, ...fields }) {
      const isConfigured = policy !== null && JSON.stringify(policy) !== UNCONFIGURED;
      return isConfigured ? { ...fields, provisionPolicy: policy } : fields;
    },
  },
  App: {
    list: "apps",
    row: (contents, { configurationRules = [] }) => ({
      ...{ isManuallyManaged: true, configurationRules, ...contents },
    }),
    units: ({ configurationRules: _, requestDefaults, usageControls, ...fields }) => ({
      ...fields,
      requestDefaults: without(requestDefaults, ["durationUnset", "state"]),
      usageControls: without(usageControls, []),
    }),
  },
  AppConfigurationRules: {
    list: "apps",
    row: ({ rules }, before) => ({
      ...before,
      configurationRules: rulesIn(rules).map(({ disabled, ...rule }, at) => ({
        ...{ ...rule, id: idOf("rule", at), enabled: disabled !== true },
      })),
    }),
    units: ({ configurationRules = [] }) => ordered(configurationRules, ruleIn),
  },
  Policy: {
    list: "policies",
    row: ({ rules, ...fields }) => ({
      ...{ policyType: "POLICY_TYPE_GRANT", policySteps: { grant: { steps: [{ reject: {} }] } } },
      ...{ ...fields, rules: rulesIn(rules) },
    }),
    units: ({ rules = [], ...fields }) => ({ ...fields, ...ordered(rules, (rule) => rule) }),
  },
  AccessConflict: {
    list: "conflicts",
    row: ({ groupA = [], groupB = [], ...fields }, { id }) => ({
      ...{ enabled: false, ...fields },
      bindings: [...bound(groupA, "A", id), ...bound(groupB, "B", id)],
    }),
    units: ({ bindings = [], ...fields }) => ({
      ...fields,
      groupA: group(bindings, "A"),
      groupB: group(bindings, "B"),
    }),
  },
};

const UNCONFIGURED = JSON.stringify({ unconfigured: {} });

type Rows = Pick<Tenant, NonNullable<(typeof KEPT)["App"]>["list"] | "owners">;

/** The rows of the places whose object is one row, as the tenant has them at the start. */
export function rowsOf(contents: readonly (Contents | null)[]): Partial<Rows> {
  const lists: Partial<Record<ListName, Map<string, JsonObject>>> = {};
  const owners: NamedRow[] = [];
  for (const [number, place] of PLACES.entries()) {
    const kept = KEPT[place.kind];
    if (kept === undefined) continue;
    const rows = lists[kept.list] ?? new Map<string, JsonObject>();
    lists[kept.list] = rows;
    const id = rowId(place);
    const { owners: own = null, ...others } = contents[number] ?? {};
    rows.set(id, rowAt(place, kept, others, rows.get(id)));
    owners.push(...ownerRows(place, own));
  }
  const entries = Object.entries(lists).map(([name, rows]) => [name, [...rows.values()]] as const);
  return { ...Object.fromEntries(entries), owners } as Partial<Rows>;
}

/** Puts such a row into the tenant, as another program does; places of other kinds stay as they are. */
export function putRow(sandbox: Pick<Sandbox, "store">, place: Place, contents: Contents): void {
  const kept = KEPT[place.kind];
  if (kept === undefined) return;
  const [table, parent, id] = tableOf(sandbox, place, kept);
  const { owners = null, ...others } = contents;
  table.put(parent, id, rowAt(place, kept, others, table.get(parent, id)));
  putOwners(sandbox, place, owners);
}

/** The row that the tenant keeps of such a place, by units; undefined for another kind, and for what is not there. */
export function rowIn(sandbox: Pick<Sandbox, "store">, place: Place): JsonObject | undefined {
  const kept = KEPT[place.kind];
  if (kept === undefined) return undefined;
  const [table, parent, id] = tableOf(sandbox, place, kept);
  const row = table.get(parent, id);
  if (row === undefined || row.deletedAt !== undefined) return undefined;
  return { ...kept.units(row), ...(isOwned(place) && { owners: ownersIn(sandbox, place) }) };
}

function tableOf({ store }: Pick<Sandbox, "store">, place: Place, { list }: Kept) {
  const parent = list === "resources" || list === "entitlements" ? String(place.identity.appId) : "";
  return [store[list] as unknown as Table<JsonObject>, parent, rowId(place)] as const;
}

/** The id of the row that holds the object of a place. */
function rowId({ identity: { id, appId = "" } }: Place): string {
  return String(id ?? appId);
}

function rowAt(place: Place, kept: Kept, contents: Contents, before: JsonObject = {}): JsonObject {
  const { kind, name, identity, beside, isConnected } = place;
  if (kind === "AppConfigurationRules") return kept.row(contents, before);
  const made = isConnected === true ? { isManuallyManaged: false } : {};
  const shown =
    kind === "RiskLevel" || kind === "ComplianceFramework" ? { value: name } : { displayName: "By hand" };
  const named = { ...identity, ...beside, ...shown, ...made, ...contents };
  return kept.row(named, { ...before, ...identity });
}

function ordered(list: Json | undefined, item: (row: JsonObject) => JsonObject): JsonObject {
  const rows = Array.isArray(list) ? list.filter(isObject).map(item) : [];
  return rows.length === 0 ? {} : { rules: { ordered: rows } };
}

function rulesIn(rules: Json | undefined): readonly JsonObject[] {
  const list = isObject(rules ?? null) ? (rules as JsonObject).ordered : [];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** A rule of an app as its manifest writes it. */
export function ruleIn({ displayName = "", condition = "", enabled, settings = {} }: JsonObject): JsonObject {
  return { displayName, condition, disabled: enabled !== true, settings };
}

function bound(items: Json, name: string, monitorId: Json = ""): readonly JsonObject[] {
  const all = Array.isArray(items) ? items.filter(isObject) : [];
  return all.map(({ appId = "", id = "" }) => ({
    ...{ monitorId, appId, appEntitlementId: id, entitlementGroup: `ENTITLEMENT_GROUP_${name}` },
  }));
}

function group(bindings: Json, name: string): readonly JsonObject[] {
  const all = Array.isArray(bindings) ? bindings.filter(isObject) : [];
  return all
    .filter(({ entitlementGroup }) => entitlementGroup === `ENTITLEMENT_GROUP_${name}`)
    .map(({ appId = "", appEntitlementId: id = "" }) => ({ appId, id }));
}

/** A record without some members and without what is zero; nothing where nothing is left. */
export function without(record: Json | undefined, names: readonly string[]): Json {
  const all = Object.entries(isObject(record ?? null) ? (record as JsonObject) : {});
  const left = all.filter(([name, value]) => !names.includes(name) && value !== 0 && value !== false);
  return left.length === 0 ? null : Object.fromEntries(left);
}
