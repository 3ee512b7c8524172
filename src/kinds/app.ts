import { isObject, type Json } from "../model/json.js";
import { namedIn } from "./named.js";
import { textOf } from "./spelling.js";

/**
 * Whether a row says that a connector fills the app; an app without a word about it is managed by hand. A reply may leave
 * out what is false (docs/service/live.md, section 10), and then the version of a connector says it.
 */
export function isConnected(row: Json): boolean {
  if (!isObject(row)) return false;
  const { isManuallyManaged, connectorVersion } = row;
  if (typeof isManuallyManaged === "boolean") return !isManuallyManaged;
  return typeof connectorVersion === "number" && connectorVersion > 0;
}

/**
 * The tenant's own app, by the id that it has in every tenant seen; that is not documented, and another app may have its name.
 * docs/service/live.md, section 1B; docs/service/live-reads.md, section B.
 */
export const OWN_APP = { id: "2fsgTvxP0DVTsNXEUBI7hOe0l5A", name: "C1" };

/** The tenant's own app among the rows of the list of apps: the only one of its name, else the one with its usual id. */
export function ownApp(rows: readonly Json[]): string | null {
  const apps = rows.flatMap((row) => namedIn(row, "") ?? []);
  const named = apps.filter(({ name }) => name === OWN_APP.name);
  const usual = apps.find(({ id }) => id === OWN_APP.id);
  return (named.length === 1 ? named[0]?.id : usual?.id) ?? null;
}

/** The access profile that the service made for an app; empty where it made none. */
export function madeForApp(row: Json): string {
  return isObject(row) ? textOf(row, "defaultRequestCatalogId") : "";
}
