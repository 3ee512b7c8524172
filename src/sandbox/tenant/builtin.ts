import type { AppRow, EntitlementRow, NamedRow, ResourceRow, ResourceTypeRow } from "./tenant.js";

/** The id of the entitlement that every app has. */
export const ACCESS_ID = "287oY0rG4UirjDNFEYguMBvxyim";

/** The id of the one type of a kind that an app may have; it is the same in every app. */
export function typeIdOf(kind: string): string {
  return `2builtin${kind.replaceAll("_", "")}`.padEnd(27, "0");
}

/** Rows that come with another. */
export interface Furniture {
  readonly types: readonly ResourceTypeRow[];
  readonly resources: readonly ResourceRow[];
  readonly entitlements: readonly EntitlementRow[];
}

/** What an app has from its first moment. */
export function furnish(app: AppRow, c1AppId: string): Furniture {
  const appId = app.id;
  const credential = { appId, id: typeIdOf("CREDENTIAL"), displayName: "Credential" };
  const group = { appId, id: typeIdOf("GROUP"), displayName: "Group", resourceType: "GROUP" };
  const access = {
    appId,
    id: ACCESS_ID,
    displayName: "Access",
    slug: "access",
    purpose: "APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT",
    systemBuiltin: true,
  };
  const types = appId === c1AppId ? [credential, group] : [credential];
  return { types, resources: [], entitlements: [access] };
}

/** What an access profile is in the tenant's own app: a resource, and what people can have of it. */
export function profileBelongings(profile: NamedRow, appId: string): Furniture {
  const { id, displayName = "", createdAt, updatedAt } = profile;
  const times = { ...(createdAt && { createdAt }), ...(updatedAt && { updatedAt }) };
  const type = { appId, id: typeIdOf("CATALOG"), displayName: "Access Profile", resourceType: "CATALOG" };
  const resource = {
    ...times,
    appId,
    id: `R${id.slice(1)}`,
    appResourceTypeId: type.id,
    displayName: displayName === "" ? "Access profile" : String(displayName),
  };
  const of = { ...times, appId, appResourceTypeId: type.id, appResourceId: resource.id };
  const enrollment = { ...of, id, displayName: "Enrollment", slug: "enrollment", durationUnset: {} };
  const excluded = { ...of, id: `X${id.slice(1)}`, displayName: "Excluded from rule", slug: "excluded" };
  return { types: [type], resources: [resource], entitlements: [enrollment, excluded] };
}
