import { isObject, type Json, type JsonObject } from "../../../src/model/json.js";
import type { Sandbox } from "../../../src/sandbox/http/server.js";
import { ROOT } from "../../../src/sandbox/tenant/store.js";
import type { NamedRow } from "../../../src/sandbox/tenant/tenant.js";
import { idOf } from "../../fakes/many.js";
import type { Place } from "./places.js";

/** The people who may own an object of a scenario. */
export const PEOPLE = [1, 2, 3].map((number) => idOf("user", number));

/** The role of every owner of a scenario. */
export const ROLE = "keeper";

/** What the tenant calls an object that has owners; null for one that has none. */
function hostOf({ kind, identity }: Place): JsonObject | null {
  const { appId = "", id = "", appResourceTypeId: resourceTypeId = "" } = identity;
  switch (kind) {
    case "App":
      return { of: kind, appId: id };
    case "Entitlement":
      return { of: kind, appId, entitlementId: id };
    case "Resource":
      return { of: kind, appId, resourceTypeId, resourceId: id };
    default:
      return null;
  }
}

/** Whether an object of a place has owners. */
export function isOwned(place: Place): boolean {
  return hostOf(place) !== null;
}

/** The rows of the owners of a place, as the tenant keeps them. */
export function ownerRows(place: Place, owners: Json): readonly NamedRow[] {
  const host = hostOf(place);
  if (host === null || !Array.isArray(owners)) return [];
  return owners.filter(isObject).map(({ user = "", entitlement = null }): NamedRow => {
    const { of = "", ...ids } = host;
    const { appId: app = "", id: own = "" } = isObject(entitlement) ? entitlement : {};
    const isPerson = entitlement === null;
    const who: JsonObject = isPerson
      ? { userRefId: user }
      : { appEntitlementRefAppId: app, appEntitlementRefId: own };
    const keyed = { ...ids, roleSlug: ROLE, ...who };
    const id = [of, isPerson ? "User" : "Entitlement", ...Object.values(keyed)].join("/");
    return { id, of, sort: isPerson ? "users" : "entitlements", ...keyed, createdAt: "2026-01-01T00:00:00Z" };
  });
}

/** The owners of a place, by the unit of a manifest. */
export function ownersIn({ store }: Pick<Sandbox, "store">, place: Place): readonly Json[] {
  return rowsOf(store, place).map(
    ({ userRefId, appEntitlementRefAppId: appId = "", appEntitlementRefId: id = "" }) =>
      userRefId === undefined ? { entitlement: { appId, id }, role: ROLE } : { user: userRefId, role: ROLE },
  );
}

/** Replaces the owners of a place, as another program does. */
export function putOwners({ store }: Pick<Sandbox, "store">, place: Place, owners: Json): void {
  const wanted = ownerRows(place, owners);
  const deletedAt = new Date().toISOString();
  for (const row of rowsOf(store, place)) store.owners.put(ROOT, row.id, { ...row, deletedAt });
  for (const row of wanted) store.owners.put(ROOT, row.id, row);
}

function rowsOf(store: Sandbox["store"], place: Place): readonly NamedRow[] {
  const host = Object.entries(hostOf(place) ?? { of: "" });
  return store.owners
    .of(ROOT)
    .filter((row) => row.deletedAt === undefined && host.every(([name, value]) => row[name] === value));
}

/** What a call writes of the owners: one who is added; null for one who is removed. */
export function ownerSent(operation: string, body: JsonObject): Json {
  if (operation.startsWith("Remove")) return null;
  const { userRef = null, appEntitlementRef: entitlement = null } = body;
  return [isObject(userRef) ? { user: userRef.id ?? "", role: ROLE } : { entitlement, role: ROLE }];
}

/** The unit of a manifest that names the owners. */
export const OWNERS = "owners";
