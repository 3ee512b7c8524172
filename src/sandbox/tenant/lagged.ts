import { isObject, type Json } from "../../model/json.js";
import type { Quirks } from "../http/exchange.js";
import type { Store } from "./store.js";
import type { Table } from "./table.js";
import { forLists } from "./tenant.js";

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
