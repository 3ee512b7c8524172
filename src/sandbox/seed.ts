import type { Json } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { Client } from "./auth/client.js";
import { readDocument } from "./document.js";
import { all, gather, type Read, refuse } from "./reading.js";
import { type AppRows, appRows } from "./seed/apps.js";
import { automationRows } from "./seed/automations.js";
import { clientOf } from "./seed/clients.js";
import { makeFinder } from "./seed/finder.js";
import { idOf } from "./seed/naming.js";
import { readSeedShape } from "./seed/shape.js";
import { templateRows } from "./seed/templates.js";
import { C1_APP_ID, EMPTY_TENANT, type Tenant } from "./tenant.js";

/** What a seed file is made into. */
export interface Seed {
  readonly tenant: Tenant;
  readonly clients: readonly Client[];
}

/** Reads a seed file; throws a `BadFile` that names every place that is wrong. */
export function readSeed(source: string, file: string): Seed {
  return readDocument(source, file, readTenant);
}

const readTenant: Read<Seed> = (value, path) => {
  const seed = readSeedShape(value ?? ({} satisfies Json), path);
  const apps = each(seed.apps, "apps", appRows);
  checkApps(apps);
  const find = makeFinder(apps);
  const [templates, automations, clients] = all(
    () => {
      const rows = each(seed.templates, "templates", (template, path) => templateRows(template, find, path));
      refuseTwice(rows, "templates", ({ template }) => template.id);
      return rows;
    },
    () => {
      const rows = each(seed.automations, "automations", (automation, path) =>
        automationRows(automation, find, path),
      );
      refuseTwice(rows, "automations", ({ automation }) => automation.appEntitlementId + automation.appId);
      return rows;
    },
    () => {
      const clients = each(seed.clients, "clients", clientOf);
      refuseTwice(clients, "clients", ({ id }) => id);
      return clients;
    },
  );
  return {
    clients,
    tenant: {
      id: seed.tenant === undefined ? EMPTY_TENANT.id : idOf("tenant", seed.tenant),
      c1AppId: apps.find(({ app }) => app.displayName === "C1")?.app.id ?? C1_APP_ID,
      open: seed.open ?? false,
      ...(seed.laterVersion === undefined ? {} : { laterVersion: seed.laterVersion }),
      apps: apps.map(({ app }) => app),
      resourceTypes: apps.flatMap(({ types }) => types),
      entitlements: apps.flatMap(({ entitlements }) => entitlements),
      templates: templates.map(({ template }) => template),
      setups: templates.map(({ setup }) => setup),
      automations: automations.map(({ automation }) => automation),
      exclusions: automations.map(({ exclusion }) => exclusion).filter(({ userIds }) => userIds.length > 0),
    },
  };
};

function checkApps(apps: readonly AppRows[]): void {
  refuseTwice(apps, "apps", ({ app }) => app.id);
  gather(
    apps.map(({ app, types, entitlements }, place) => () => {
      const where = ["apps", place];
      const type = firstTwice(types.map(({ id }) => id));
      if (type !== undefined)
        refuse(
          where,
          `${app.displayName} has two resource types of the id ${types[type]?.id}; give one another id`,
        );
      const entitlement = firstTwice(entitlements.map(({ id }) => id));
      if (entitlement !== undefined)
        refuse(where, `${app.displayName} has two entitlements ${entitlements[entitlement]?.displayName}`);
    }),
  );
}

function each<Item, Row>(
  items: readonly Item[],
  name: string,
  make: (item: Item, path: Path) => Row,
): readonly Row[] {
  return gather(items.map((item, place) => () => make(item, [name, place])));
}

function refuseTwice<Row>(rows: readonly Row[], name: string, keyOf: (row: Row) => string): void {
  const place = firstTwice(rows.map(keyOf));
  if (place !== undefined) refuse([name, place], "is there twice");
}

/** The place of the first text that was there before. */
function firstTwice(texts: readonly string[]): number | undefined {
  const seen = new Set<string>();
  const place = texts.findIndex((text) => seen.size === seen.add(text).size);
  return place < 0 ? undefined : place;
}
