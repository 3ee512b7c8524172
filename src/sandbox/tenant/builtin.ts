import type { AppRow, EntitlementRow, ResourceTypeRow } from "./tenant.js";

/** The id of the entitlement that every app has. */
const ACCESS_ID = "287oY0rG4UirjDNFEYguMBvxyim";

/** The id of the one type of a kind that an app may have; it is the same in every app. */
export function typeIdOf(kind: string): string {
  return `2builtin${kind.replaceAll("_", "")}`.padEnd(27, "0");
}

/** What an app has from its first moment. */
export function furnish(
  app: AppRow,
  c1AppId: string,
): { readonly types: readonly ResourceTypeRow[]; readonly entitlements: readonly EntitlementRow[] } {
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
  return { types: appId === c1AppId ? [credential, group] : [credential], entitlements: [access] };
}
