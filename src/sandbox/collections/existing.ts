import type { JsonObject } from "../../model/json.js";
import type { World } from "../answer/operation.js";
import { Refusal } from "../answer/refusal.js";
import { ROOT } from "../tenant/store.js";
import type { AppRow } from "../tenant/tenant.js";
import { text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";

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
