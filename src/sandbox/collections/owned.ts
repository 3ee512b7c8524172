import type { JsonObject } from "../../model/json.js";
import type { World } from "../answer/operation.js";
import { ROOT } from "../tenant/store.js";
import type { AppRow, EntitlementRow, ResourceTypeRow, TemplateRow } from "../tenant/tenant.js";
import { text } from "../wire/member.js";
import { born, existing } from "./existing.js";

// What the tenant has, or, where it is open, would have under an id that it does not know: a blank row, which
// a read shows and a write keeps.

/** The app of that id, deleted or not. */
export function findApp({ store }: World, id: string): AppRow | undefined {
  return store.apps.get(ROOT, id) ?? (store.open ? { id, displayName: id } : undefined);
}

/** The entitlement of that app and id, deleted or not. */
export function findEntitlement({ store }: World, appId: string, id: string): EntitlementRow | undefined {
  return store.entitlements.get(appId, id) ?? (store.open ? { appId, id, displayName: id } : undefined);
}

/** The resource type of that app and id, deleted or not. */
export function findType({ store }: World, appId: string, id: string): ResourceTypeRow | undefined {
  return store.resourceTypes.get(appId, id) ?? (store.open ? { appId, id, displayName: "" } : undefined);
}

/** The template of that id, deleted or not. */
export function findTemplate({ store }: World, id: string): TemplateRow | undefined {
  return store.templates.get(ROOT, id) ?? (store.open ? { id } : undefined);
}

/** The app to write to, kept from now on. */
export function writableApp(world: World, id: string): AppRow {
  const { store } = world;
  return existing(
    store.apps.get(ROOT, id) ?? kept(findApp(world, id), world, (row) => store.apps.put(ROOT, id, row)),
  );
}

/** The entitlement to write to, kept from now on with its app. */
export function writableEntitlement(world: World, appId: string, id: string): EntitlementRow {
  const { store } = world;
  const known = store.entitlements.get(appId, id);
  if (known !== undefined) return existing(known);
  writableApp(world, appId);
  return existing(
    kept(findEntitlement(world, appId, id), world, (row) => store.entitlements.put(appId, id, row)),
  );
}

/** The resource type to write to, kept from now on with its app. */
export function writableType(world: World, appId: string, id: string): ResourceTypeRow {
  const { store } = world;
  const known = store.resourceTypes.get(appId, id);
  if (known !== undefined) return existing(known);
  writableApp(world, appId);
  return existing(kept(findType(world, appId, id), world, (row) => store.resourceTypes.put(appId, id, row)));
}

/** The template to write to, kept from now on. */
export function writableTemplate(world: World, id: string): TemplateRow {
  const { store } = world;
  const known = store.templates.get(ROOT, id);
  return existing(known ?? kept(findTemplate(world, id), world, (row) => store.templates.put(ROOT, id, row)));
}

function kept<Row extends JsonObject>(
  blank: Row | undefined,
  world: World,
  put: (row: Row) => void,
): Row | undefined {
  if (blank === undefined) return undefined;
  const row = { ...blank, ...born(world) };
  put(row);
  return row;
}

/** That a request is about an app, which must be there. */
export const inApp = {
  read: (request: JsonObject, world: World) => existing(findApp(world, text(request, "appId"))),
  write: (request: JsonObject, world: World) => writableApp(world, text(request, "appId")),
};

/** That a request is about a resource type of an app, which must be there. */
export const inType = {
  read: (request: JsonObject, world: World) =>
    existing(findType(world, text(request, "appId"), text(request, "appResourceTypeId"))),
  write: (request: JsonObject, world: World) =>
    writableType(world, text(request, "appId"), text(request, "appResourceTypeId")),
};
