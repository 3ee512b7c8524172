import type { JsonObject } from "../../model/json.js";
import { type Furniture, furnish, profileBelongings } from "./builtin.js";
import {
  EMPTY_TENANT,
  type EntitlementRow,
  forLists,
  LIST_NAMES,
  type ListName,
  NAMES,
  type NamedRow,
  type Rows,
  type Tenant,
} from "./tenant.js";

/** The parent of rows that have none. */
export const ROOT = "";

/** The rows of each list, under the names that `NAMES` says: what they belong to, and their own. */
type Tables = { readonly [List in ListName]: Table<Rows[List]> };

/** One tenant, ready to be looked into and written to. */
export interface Store extends Tables {
  readonly tenantId: string;
  readonly c1AppId: string;
  /** Whether a write makes what it names and the tenant does not have. */
  readonly open: boolean;
  /** Whether the service knows members whose names begin with `future`. */
  readonly laterVersion: boolean;
  /** Whether rows of lists say which entitlements have an automation. */
  readonly tellsAutomations: boolean;
  /** The entitlements of that alias, in any app. */
  aliased(alias: string): readonly EntitlementRow[];
  /** All of it as plain data: `makeStore(store.toTenant())` is the same tenant. */
  toTenant(): Tenant;
}

/** A store of that tenant's rows; without one, of an open tenant with nothing in it. */
export function makeStore(tenant: Tenant = EMPTY_TENANT): Store {
  const aliases = new Map<string, EntitlementRow | readonly EntitlementRow[]>();
  const tables = forLists(() => makeTable<never>()) as unknown as Tables;
  const store: Store = {
    ...tables,
    tenantId: tenant.id,
    c1AppId: tenant.c1AppId,
    open: tenant.open,
    laterVersion: tenant.laterVersion ?? false,
    tellsAutomations: true,
    // An app arrives with what every app has, and a profile with what it is in the tenant's own app.
    apps: onArrival(tables.apps, (app) => furnishWith(furnish(app, tenant.c1AppId))),
    catalogs: onArrival(tables.catalogs, (profile) => {
      if (store.apps.get(ROOT, tenant.c1AppId) === undefined || profile.deletedAt !== undefined) return;
      furnishWith(profileBelongings(profile, tenant.c1AppId));
    }),
    entitlements: onArrival(tables.entitlements, (row) => {
      const alias = row.alias;
      if (typeof alias !== "string" || alias === "") return;
      const others = aliases.get(alias);
      aliases.set(alias, others === undefined ? row : [others, row].flat());
    }),
    aliased: (alias) =>
      [aliases.get(alias) ?? []].flat().flatMap((row) => store.entitlements.get(row.appId, row.id) ?? []),
    toTenant: () => ({
      id: tenant.id,
      c1AppId: tenant.c1AppId,
      open: tenant.open,
      ...(tenant.laterVersion === undefined ? {} : { laterVersion: tenant.laterVersion }),
      ...(forLists((name) => store[name].all()) as Pick<Tenant, ListName>),
      ...(tenant.operatorId === undefined ? {} : { operatorId: tenant.operatorId }),
    }),
  };
  // What comes with an app or a profile does not take the place of what the tenant has.
  for (const name of ["resourceTypes", "entitlements", "resources", ...LIST_NAMES] as const) fill(name);
  return store;

  function fill<List extends ListName>(name: List): void {
    const rows = tenant[name] as readonly Rows[List][];
    for (const row of rows) (store[name] as Table<Rows[List]>).put(...placeOf(name, row), row);
  }

  /** Puts in what is not there yet. */
  function furnishWith({ types, resources, entitlements }: Furniture): void {
    const missing = <Row extends NamedRow & { readonly appId: string }>(table: Table<Row>, row: Row) =>
      table.get(row.appId, row.id) ?? table.put(row.appId, row.id, row);
    for (const row of types) missing(store.resourceTypes, row);
    for (const row of resources) missing(store.resources, row);
    for (const row of entitlements) missing(store.entitlements, row);
  }
}

/** A table that tells of each row that was not there before. */
function onArrival<Row extends object>(table: Table<Row>, tell: (row: Row) => void): Table<Row> {
  return {
    ...table,
    put(parent, id, row) {
      const isNew = table.get(parent, id) === undefined;
      const kept = table.put(parent, id, row);
      if (isNew) tell(kept);
      return kept;
    },
  };
}

/** The parent of the grants of one entitlement. */
export function grantsOf(appId: string, entitlementId: string): string {
  return `${appId}/${entitlementId}`;
}

/** Where a row of a list stands in its table. */
function placeOf<List extends ListName>(name: List, row: Rows[List]): readonly [parent: string, id: string] {
  const named = NAMES[name].map((field) => String((row as JsonObject)[field]));
  return [named.slice(0, -1).join("/"), named.at(-1) ?? ""];
}

/** Rows under two names, a parent's and their own, in order of arrival; a row is replaced in its place. */
export interface Table<Row extends object> {
  get(parent: string, id: string): Row | undefined;
  /** The row as it is kept from now on. */
  put(parent: string, id: string, row: Row): Row;
  /** The last few rows that stood in a row's place before, the newest first, and the first of all. */
  before(row: Row): readonly Row[];
  /** The rows of one parent, in order of arrival. */
  of(parent: string): readonly Row[];
  /** The rows of every parent, parent by parent, in order of arrival. */
  groups(): readonly (readonly Row[])[];
  all(): readonly Row[];
}

/** How many earlier rows are remembered for a row. */
const KEPT = 4;

/** An empty table. */
function makeTable<Row extends object>(): Table<Row> {
  const earlier = new WeakMap<object, readonly Row[]>();
  const groups = new Map<string, { readonly rows: Row[]; readonly places: Map<string, number> }>();
  return {
    get(parent, id) {
      const group = groups.get(parent);
      const place = group?.places.get(id);
      return place === undefined ? undefined : group?.rows[place];
    },
    put(parent, id, row) {
      let group = groups.get(parent);
      if (group === undefined) {
        group = { rows: [], places: new Map() };
        groups.set(parent, group);
      }
      const place = group.places.get(id) ?? group.rows.length;
      const replaced = group.rows[place];
      if (replaced !== undefined && replaced !== row)
        earlier.set(row, someOf([replaced, ...(earlier.get(replaced) ?? [])]));
      group.places.set(id, place);
      group.rows[place] = row;
      return row;
    },
    before: (row) => earlier.get(row) ?? [],
    of: (parent) => groups.get(parent)?.rows ?? [],
    groups: () => [...groups.values()].map((group) => group.rows),
    all: () => [...groups.values()].flatMap((group) => group.rows),
  };
}

/** The newest rows and the oldest one: a list that lags long shows what was there first. */
function someOf<Row>(rows: readonly Row[]): readonly Row[] {
  return rows.length <= KEPT ? rows : [...rows.slice(0, KEPT - 1), ...rows.slice(-1)];
}
