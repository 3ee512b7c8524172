import { type Furniture, furnish, profileBelongings } from "./builtin.js";
import { makeTable, type Table } from "./table.js";
import {
  type AccountRow,
  type AppRow,
  type AutomationRow,
  type CampaignRow,
  EMPTY_TENANT,
  type EntitlementRow,
  type ExclusionRow,
  type GrantRow,
  NAMED_LISTS,
  type NamedList,
  type NamedRow,
  type ResourceRow,
  type ResourceTypeRow,
  type SetupRow,
  type TemplateRow,
  type Tenant,
} from "./tenant.js";

/** The parent of rows that have none. */
export const ROOT = "";

type NamedTables = { readonly [List in NamedList]: Table<NamedRow> };

/** One tenant, ready to be looked into and written to. */
export interface Store extends NamedTables {
  readonly tenantId: string;
  readonly c1AppId: string;
  /** Whether a write makes what it names and the tenant does not have. */
  readonly open: boolean;
  /** Whether the service knows members whose names begin with `future`. */
  readonly laterVersion: boolean;
  /** Whether rows of lists say which entitlements have an automation. */
  readonly tellsAutomations: boolean;
  /** An app arrives with what every app has from its first moment. */
  readonly apps: Table<AppRow>;
  /** By app. */
  readonly entitlements: Table<EntitlementRow>;
  /** By app. */
  readonly types: Table<ResourceTypeRow>;
  readonly templates: Table<TemplateRow>;
  readonly setups: Table<SetupRow>;
  /** By app, then entitlement. */
  readonly automations: Table<AutomationRow>;
  /** By app, then entitlement. */
  readonly exclusions: Table<ExclusionRow>;
  /** By app. */
  readonly resources: Table<ResourceRow>;
  /** By app. */
  readonly accounts: Table<AccountRow>;
  /** By entitlement (`grantsOf`), then account. */
  readonly grants: Table<GrantRow>;
  readonly campaigns: Table<CampaignRow>;
  /** The entitlements of that alias, in any app. */
  aliased(alias: string): readonly EntitlementRow[];
  /** All of it as plain data: `makeStore(store.toTenant())` is the same tenant. */
  toTenant(): Tenant;
}

/** A store of that tenant's rows; without one, of an open tenant with nothing in it. */
export function makeStore(tenant: Tenant = EMPTY_TENANT): Store {
  const aliases = new Map<string, EntitlementRow | readonly EntitlementRow[]>();
  const named = forNamedLists(() => makeTable<NamedRow>()) as NamedTables;
  const store: Store = {
    ...named,
    tenantId: tenant.id,
    c1AppId: tenant.c1AppId,
    open: tenant.open,
    laterVersion: tenant.laterVersion ?? false,
    tellsAutomations: true,
    apps: onArrival(makeTable(), (app) => furnishWith(furnish(app, tenant.c1AppId))),
    entitlements: onArrival(makeTable(), (row) => {
      const alias = row.alias;
      if (typeof alias !== "string" || alias === "") return;
      const others = aliases.get(alias);
      aliases.set(alias, others === undefined ? row : [others, row].flat());
    }),
    types: makeTable(),
    templates: makeTable(),
    setups: makeTable(),
    automations: makeTable(),
    exclusions: makeTable(),
    resources: makeTable(),
    accounts: makeTable(),
    grants: makeTable(),
    campaigns: makeTable(),
    // A profile arrives with what it is in the tenant's own app, where the tenant has that app.
    catalogs: onArrival(named.catalogs, (profile) => {
      if (store.apps.get(ROOT, tenant.c1AppId) === undefined || profile.deletedAt !== undefined) return;
      furnishWith(profileBelongings(profile, tenant.c1AppId));
    }),
    aliased: (alias) =>
      [aliases.get(alias) ?? []].flat().flatMap((row) => store.entitlements.get(row.appId, row.id) ?? []),
    toTenant: () => ({
      id: tenant.id,
      c1AppId: tenant.c1AppId,
      open: tenant.open,
      ...(tenant.laterVersion === undefined ? {} : { laterVersion: tenant.laterVersion }),
      apps: store.apps.all(),
      entitlements: store.entitlements.all(),
      resourceTypes: store.types.all(),
      templates: store.templates.all(),
      setups: store.setups.all(),
      automations: store.automations.all(),
      exclusions: store.exclusions.all(),
      resources: store.resources.all(),
      accounts: store.accounts.all(),
      grants: store.grants.all(),
      campaigns: store.campaigns.all(),
      ...forNamedLists((name) => store[name].all()),
      ...(tenant.operatorId === undefined ? {} : { operatorId: tenant.operatorId }),
    }),
  };
  for (const row of tenant.resourceTypes) store.types.put(row.appId, row.id, row);
  for (const row of tenant.entitlements) store.entitlements.put(row.appId, row.id, row);
  for (const row of tenant.apps) store.apps.put(ROOT, row.id, row);
  for (const row of tenant.templates) store.templates.put(ROOT, row.id, row);
  for (const row of tenant.setups) store.setups.put(ROOT, row.templateId, row);
  for (const row of tenant.automations) store.automations.put(row.appId, row.appEntitlementId, row);
  for (const row of tenant.exclusions) store.exclusions.put(row.appId, row.appEntitlementId, row);
  for (const row of tenant.resources) store.resources.put(row.appId, row.id, row);
  for (const row of tenant.accounts) store.accounts.put(row.appId, row.id, row);
  for (const row of tenant.grants) {
    store.grants.put(grantsOf(row.appId, row.appEntitlementId), row.appUserId, row);
  }
  for (const row of tenant.campaigns) store.campaigns.put(ROOT, row.id, row);
  for (const name of NAMED_LISTS) for (const row of tenant[name]) store[name].put(ROOT, row.id, row);
  return store;

  /** Puts in what is not there yet. */
  function furnishWith({ types, resources, entitlements }: Furniture): void {
    const missing = <Row extends NamedRow & { readonly appId: string }>(table: Table<Row>, row: Row) =>
      table.get(row.appId, row.id) ?? table.put(row.appId, row.id, row);
    for (const row of types) missing(store.types, row);
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

/** One value for each list of rows that belong to no other row. */
export function forNamedLists<T>(make: (name: NamedList) => T): { readonly [List in NamedList]: T } {
  return Object.fromEntries(NAMED_LISTS.map((name) => [name, make(name)])) as { [List in NamedList]: T };
}
