import type { JsonObject } from "../../model/json.js";
import type { World } from "../operation.js";
import { Refusal } from "../refusal.js";
import { ROOT } from "../store.js";
import type { AppRow, EntitlementRow, ResourceTypeRow, TemplateRow } from "../tenant.js";
import { writeTimestamp } from "../wire/moment.js";

/** The row, unless it is not there or was deleted. */
export function existing<Row extends JsonObject>(row: Row | undefined): Row {
  if (row === undefined || isDeleted(row)) throw new Refusal("notFound", "not found");
  return row;
}

/** The row as a read by id gives it: a deleted one is not found, or shown with its time, as the world will. */
export function readable<Row extends JsonObject>(row: Row | undefined, world: World): Row {
  return row !== undefined && world.quirks.softDeleted === "shown" ? row : existing(row);
}

/** Whether the row is kept only to say that it is gone. */
export function isDeleted(row: JsonObject): boolean {
  return row.deletedAt !== undefined;
}

/** Refuses where the app to read from is not there; an open tenant has them all. */
export function checkApp({ store }: World, appId: string): void {
  if (!store.open) existing(store.apps.get(ROOT, appId));
}

/** The app to write to; an open tenant makes it. */
export function writableApp(world: World, appId: string): AppRow {
  const { store } = world;
  const found = store.apps.get(ROOT, appId);
  if (found !== undefined || !store.open) return existing(found);
  const made = { id: appId, displayName: appId, ...born(world) };
  store.putApp(made);
  return made;
}

/** The entitlement to write to; an open tenant makes it, and its app. */
export function writableEntitlement(world: World, appId: string, id: string): EntitlementRow {
  const { store } = world;
  const found = store.entitlements.get(appId, id);
  if (found !== undefined || !store.open) return existing(found);
  writableApp(world, appId);
  const made = { appId, id, displayName: id, ...born(world) };
  store.putEntitlement(made);
  return made;
}

/** The resource type to write to; an open tenant makes it, and its app. */
export function writableType(world: World, appId: string, id: string): ResourceTypeRow {
  const { store } = world;
  const found = store.types.get(appId, id);
  if (found !== undefined || !store.open) return existing(found);
  writableApp(world, appId);
  const made = { appId, id, displayName: "", ...born(world) };
  store.types.put(appId, id, made);
  return made;
}

/** The template to write to; an open tenant makes it. */
export function writableTemplate(world: World, id: string): TemplateRow {
  const { store } = world;
  const found = store.templates.get(ROOT, id);
  if (found !== undefined || !store.open) return existing(found);
  const made = { id, ...born(world) };
  store.templates.put(ROOT, id, made);
  return made;
}

/** The times of a row made now. */
export function born(world: World) {
  const at = writeTimestamp(world.now);
  return { createdAt: at, updatedAt: at } as const;
}
