import type { JsonObject } from "../../model/json.js";
import { Refusal, type World } from "../answer/operation.js";
import { ROOT, type Table } from "../tenant/store.js";
import { type AppRow, NAMES, type Rows } from "../tenant/tenant.js";
import { text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";

/** What an open tenant has under an id that it does not know: a blank row, which a read shows and a write keeps. */
const BLANKS = {
  apps: (_: string, id: string) => ({ id, displayName: id }),
  entitlements: (appId: string, id: string) => ({ appId, id, displayName: id }),
  resourceTypes: (appId: string, id: string) => ({ appId, id, displayName: "" }),
  templates: (_: string, id: string) => ({ id }),
} as const;

type Owned = keyof typeof BLANKS;

/** The row of that id, deleted or not. */
export function find<List extends Owned>(
  { store }: World,
  list: List,
  id: string,
  appId = ROOT,
): Rows[List] | undefined {
  const table = store[list] as unknown as Table<Rows[List]>;
  return table.get(appId, id) ?? (store.open ? (BLANKS[list](appId, id) as Rows[List]) : undefined);
}

/** The row to write to, kept from now on with its app. */
export function writable<List extends Owned>(world: World, list: List, id: string, appId = ROOT): Rows[List] {
  const table = world.store[list] as unknown as Table<Rows[List]>;
  const known = table.get(appId, id);
  if (known !== undefined) return existing(known);
  if (NAMES[list].includes("appId")) writable(world, "apps", appId);
  return table.put(appId, id, { ...existing(find(world, list, id, appId)), ...born(world) });
}

/** That a request is about an app, which must be there. */
export const inApp = {
  read: (request: JsonObject, world: World) => existing(find(world, "apps", text(request, "appId"))),
  write: (request: JsonObject, world: World) => writable(world, "apps", text(request, "appId")),
};

/** That a request is about a resource type of an app, which must be there. */
export const inType = {
  read: (request: JsonObject, world: World) => existing(find(world, "resourceTypes", ...typeIn(request))),
  write: (request: JsonObject, world: World) => writable(world, "resourceTypes", ...typeIn(request)),
};

function typeIn(request: JsonObject): [id: string, appId: string] {
  return [text(request, "appResourceTypeId"), text(request, "appId")];
}

/** Whether the row is kept only to say that it is gone. */
export function isDeleted(row: JsonObject): boolean {
  return row.deletedAt !== undefined;
}

/** The row, unless it is not there or was deleted. */
export function existing<Row extends JsonObject>(row: Row | undefined): Row {
  if (row === undefined || isDeleted(row)) throw new Refusal("notFound", "not found");
  return row;
}

/** The app that a request is about. */
export function appOf(request: JsonObject, { store }: World): AppRow {
  return existing(store.apps.get(ROOT, text(request, "appId")));
}

/** The row as a read by id gives it: a deleted one is not found, or shown with its time, as the world will. */
export function readable<Row extends JsonObject>(row: Row | undefined, world: World): Row {
  return row !== undefined && world.quirks.softDeleted === "shown" ? row : existing(row);
}

/** The times of a row made now. */
export function born(world: World) {
  const at = writeTimestamp(world.now);
  return { createdAt: at, updatedAt: at } as const;
}
