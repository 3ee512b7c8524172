import type { Path } from "../../../model/path.js";
import { app as appMessage } from "../../messages/app.js";
import { entitlement as entitlementMessage } from "../../messages/entitlement.js";
import { typeIdOf } from "../builtin.js";
import { gather, refuse } from "../reading.js";
import {
  type AppRow,
  C1_APP_ID,
  type EntitlementRow,
  type ResourceRow,
  type ResourceTypeRow,
} from "../tenant.js";
import { aliasOf, idOf } from "./naming.js";
import { idFor, type Names } from "./references.js";
import { checked, inFull, type SeedApp, type SeedEntitlement, type SeedType } from "./shape.js";

/** An app with everything in it. */
export interface AppRows {
  readonly app: AppRow;
  readonly types: readonly ResourceTypeRow[];
  readonly entitlements: readonly EntitlementRow[];
  readonly resources: readonly ResourceRow[];
}

/** When everything in a seed was made. */
export const SEEDED_AT = { createdAt: "2025-01-06T09:00:00Z", updatedAt: "2025-01-06T09:00:00Z" } as const;

/** The name of the tenant's own app. */
const OWN_APP = "C1";

/** The rows of one app of a seed. */
export function appRows(app: SeedApp, names: Names, path: Path): AppRows {
  const id = app.id ?? (app.name === OWN_APP ? C1_APP_ID : idOf("app", app.name));
  const { description, fields = {}, types: seedTypes = [] } = app;
  const seedEntitlements = (app.entitlements ?? []).map(inFull<SeedEntitlement>);
  const row = {
    ...checked(fields, appMessage, [...path, "fields"]),
    ...(description === undefined ? {} : { description }),
    ...SEEDED_AT,
    id,
    displayName: app.name,
  };
  const types = seedTypes.map((type) => typeRow(type, row));
  const named = new Map(types.map((type) => [type.displayName, type]));
  const crossed = seedTypes.flatMap((type) => entitlementsOfResources(type, row));
  const single = gather(
    seedEntitlements.map((entitlement, place) => () => {
      return entitlementRow(entitlement, { app: row, types: named, names }, [...path, "entitlements", place]);
    }),
  );
  const resources = seedTypes.flatMap((type) =>
    (type.resources ?? []).map((name) => resourceRow(name, type, row)),
  );
  const further = seedEntitlements.flatMap(({ type, resource }: SeedEntitlement) => {
    const known = seedTypes.find((each) => each.name === type);
    return known === undefined || resource === undefined ? [] : [resourceRow(resource, known, row)];
  });
  return { app: row, types, entitlements: [...crossed, ...single], resources: [...resources, ...further] };
}

function typeRow(type: SeedType, app: AppRow): ResourceTypeRow {
  return {
    appId: app.id,
    id: typeId(type, app),
    displayName: type.name,
    resourceType: type.kind ?? "CUSTOM",
    ...(type.traits?.length ? { traitIds: type.traits } : {}),
    ...SEEDED_AT,
  };
}

function typeId({ id, kind = "CUSTOM", name }: SeedType, app: AppRow): string {
  return id ?? (kind === "CUSTOM" ? idOf("type", app.displayName, name) : typeIdOf(kind));
}

/** Every resource of a type with every one of its entitlements. */
function entitlementsOfResources(type: SeedType, app: AppRow): readonly EntitlementRow[] {
  const { resources = [], entitlements = [] } = type;
  return resources.flatMap((resource) =>
    entitlements.map((name) => ({
      appId: app.id,
      id: idOf("entitlement", app.displayName, type.name, resource, name),
      displayName: `${resource} ${name}`,
      description: `${name} of the ${type.name.toLowerCase()} ${resource} in ${app.displayName}`,
      alias: aliasOf(app.displayName, resource, name),
      slug: name,
      appResourceTypeId: typeId(type, app),
      appResourceId: resourceId(app, type.name, resource),
      ...SEEDED_AT,
    })),
  );
}

/** Where an entitlement is, and what its names stand for. */
interface Surroundings {
  readonly app: AppRow;
  readonly types: ReadonlyMap<string, ResourceTypeRow>;
  readonly names: Names;
}

function entitlementRow(
  entitlement: SeedEntitlement,
  { app, types, names }: Surroundings,
  path: Path,
): EntitlementRow {
  const { name, description, resource, risk, frameworks = [], fields = {} } = entitlement;
  const type = entitlement.type === undefined ? undefined : types.get(entitlement.type);
  if (entitlement.type !== undefined && type === undefined)
    return refuse([...path, "type"], `is not a resource type of ${app.displayName}`);
  return {
    ...checked(fields, entitlementMessage, [...path, "fields"]),
    appId: app.id,
    id: entitlement.id ?? idOf("entitlement", app.displayName, name),
    displayName: name,
    ...(description === undefined ? {} : { description }),
    alias: entitlement.alias ?? aliasOf(app.displayName, name),
    slug: entitlement.slug ?? name,
    ...(risk === undefined ? {} : { riskLevelValueId: idFor(risk, "riskLevel", names) }),
    ...(frameworks.length === 0
      ? {}
      : {
          complianceFrameworkValueIds: frameworks.map((each) => idFor(each, "complianceFramework", names)),
        }),
    ...(type === undefined ? {} : { appResourceTypeId: type.id }),
    ...(type === undefined || resource === undefined
      ? {}
      : { appResourceId: resourceId(app, type.displayName, resource) }),
    ...SEEDED_AT,
  };
}

function resourceRow(name: string, type: SeedType, app: AppRow): ResourceRow {
  return {
    id: resourceId(app, type.name, name),
    appId: app.id,
    appResourceTypeId: typeId(type, app),
    displayName: name,
    // What a seed's apps have came with a sync.
    externalId: `${type.name}::${name}`,
    ...SEEDED_AT,
  };
}

function resourceId(app: AppRow, type: string, resource: string): string {
  return idOf("resource", app.displayName, type, resource);
}
