import { isObject, type Json, type JsonObject } from "../../model/json.js";
import type { Quirks } from "../http/exchange.js";
import { CONDITIONS } from "../messages/automation.js";
import { scope as scopeMessage } from "../messages/scope.js";
import { omit, pick } from "../wire/member.js";
import type { Store, Table } from "./store.js";
import { forLists, type ListName } from "./tenant.js";

/** A store that keeps not what it is given, but what a world without regard for it makes of it. */
export function wilfulStore(store: Store, quirks: Quirks): Store {
  const { ignoredFields = [], otherChoice, missingRows } = quirks;
  if (ignoredFields.length === 0 && !otherChoice && !missingRows) return store;
  const change = (row: JsonObject, before: JsonObject | undefined) => keptOf(row, before ?? {}, quirks);
  const tables = forLists((name) => {
    const table = store[name] as Table<never>;
    return OBEYED.includes(name) ? table : wilfulTable(table, change);
  });
  return { ...store, ...(tables as Partial<Store>) };
}

/** What is kept as it is sent: nothing that these quirks are about is in it. */
const OBEYED: readonly ListName[] = ["apps", "entitlements"];

function wilfulTable<Row extends object>(
  table: Table<Row>,
  change: (row: JsonObject, before: JsonObject | undefined) => JsonObject,
): Table<Row> {
  return {
    ...table,
    put(parent, id, row) {
      const before = table.get(parent, id) as JsonObject | undefined;
      return table.put(parent, id, change(row as unknown as JsonObject, before) as unknown as Row);
    },
  };
}

/** What is kept of a row, by the row that was there before. */
function keptOf(row: JsonObject, before: JsonObject, quirks: Quirks): JsonObject {
  const obedient = ignoring(row, before, quirks.ignoredFields ?? []);
  const entries = Object.entries(obedient).map(([name, value]): [string, Json] => {
    if (value === before[name]) return [name, value];
    const chosen = quirks.otherChoice && name === "scope" && isObject(value) ? otherScope(value) : value;
    return [name, quirks.missingRows ? withoutLastRows(chosen) : chosen];
  });
  const changed = Object.fromEntries(entries);
  return quirks.otherChoice && "appEntitlementId" in row ? otherCondition(changed) : changed;
}

/** The row with those fields as they were before; of a condition, any member stands for all. */
function ignoring(row: JsonObject, before: JsonObject, fields: readonly string[]): JsonObject {
  const isRule = "appEntitlementId" in row && !("userIds" in row);
  const named =
    isRule && CONDITIONS.some((name) => fields.includes(name)) ? [...fields, ...CONDITIONS] : fields;
  const lists = "templateId" in row && named.includes("entitlements") ? { entitlements: [] } : {};
  return { ...omit(row, named), ...lists, ...pick(before, named) };
}

/** The condition that is kept in the place of each. */
const OTHER_CONDITION = { cel: "basic", basic: "cel", none: "entitlements", entitlements: "none" } as const;

function otherCondition(row: JsonObject): JsonObject {
  const chosen = CONDITIONS.find((name) => row[name] !== undefined);
  if (chosen === undefined) return row;
  const isText = chosen === "cel" || chosen === "basic";
  return { ...omit(row, [chosen]), [OTHER_CONDITION[chosen]]: isText ? (row[chosen] ?? {}) : {} };
}

/** The scope with each member of a group replaced by another member of the group, an empty one. */
function otherScope(scope: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(scope).map(([name, value]): [string, Json] => {
      const group = scopeMessage.oneofs.get(name);
      const others = [...scopeMessage.oneofs].filter(([other, of]) => of === group && other !== name);
      const other = group === undefined ? undefined : others[0]?.[0];
      return other === undefined ? [name, value] : [other, {}];
    }),
  );
}

function withoutLastRows(value: Json): Json {
  if (Array.isArray(value)) return value.slice(0, -1);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutLastRows(item)]));
}

/** The store as lists and searches see it: as it was some milliseconds ago, and silent about automations where the world is. */
export function laggedStore(store: Store, now: number, { listLag = 0, unlistedAutomations }: Quirks): Store {
  if (listLag === 0 && !unlistedAutomations) return store;
  const tables = listLag === 0 ? {} : laggedTables(store, now - listLag);
  return { ...store, ...tables, tellsAutomations: unlistedAutomations !== true };
}

function laggedTables(store: Store, time: number): Partial<Store> {
  const tables = forLists((name) => tableAt<never>(store[name] as Table<never>, time)) as Partial<Store>;
  const { entitlements = store.entitlements } = tables;
  const aliased = (alias: string) =>
    store.aliased(alias).flatMap((row) => entitlements.get(row.appId, row.id) ?? []);
  return { ...tables, aliased };
}

/** A table as it was at a time. */
function tableAt<Row extends object>(table: Table<Row>, time: number): Table<Row> {
  const rowAt = (row: Row | undefined): Row | undefined =>
    row === undefined ? undefined : [row, ...table.before(row)].find((each) => writtenAt(each) <= time);
  const rowsAt = (rows: readonly Row[]) => rows.flatMap((row) => rowAt(row) ?? []);
  return {
    ...table,
    get: (parent, id) => rowAt(table.get(parent, id)),
    of: (parent) => rowsAt(table.of(parent)),
    groups: () => table.groups().map(rowsAt),
    all: () => rowsAt(table.all()),
  };
}

/** When a row became what it is; one without times has always been there. */
function writtenAt(row: object): number {
  const { deletedAt, updatedAt } = isObject(row as Json) ? (row as { readonly [name: string]: Json }) : {};
  const time = Date.parse(String(deletedAt ?? updatedAt));
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}
