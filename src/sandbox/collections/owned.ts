import type { JsonObject } from "../../model/json.js";
import type { World } from "../answer/operation.js";
import { ROOT } from "../tenant/store.js";
import type { Table } from "../tenant/table.js";
import { NAMES, type Rows } from "../tenant/tenant.js";
import { text } from "../wire/member.js";
import { born, existing } from "./existing.js";

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
