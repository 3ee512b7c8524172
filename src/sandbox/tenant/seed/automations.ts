import type { JsonObject } from "../../../model/json.js";
import type { Path } from "../../../model/path.js";
import { automation as automationMessage } from "../../messages/automation.js";
import type { AutomationRow, ExclusionRow } from "../tenant.js";
import { SEEDED_AT } from "./apps.js";
import { checked } from "./checked.js";
import type { Finder } from "./finder.js";
import { idFor, type Names } from "./references.js";
import type { SeedAutomation } from "./shape.js";

/** The rows of one automation of a seed. */
export function automationRows(
  automation: SeedAutomation,
  find: Finder,
  names: Names,
  path: Path,
): { readonly automation: AutomationRow; readonly exclusion: ExclusionRow } {
  const { appId, id: appEntitlementId } = find.entitlement(automation.entitlement, [...path, "entitlement"]);
  const { managedBy, name, description, fields = {} } = automation;
  const written = {
    ...fields,
    ...(name === undefined ? {} : { displayName: name }),
    ...(description === undefined ? {} : { description }),
    ...condition(automation, find, path),
    ...(managedBy === undefined ? {} : { managedByRequestCatalogId: idFor(managedBy, "profile", names) }),
  };
  return {
    automation: {
      ...checked(written, automationMessage, path),
      ...SEEDED_AT,
      ...(automation.deleted ? { deletedAt: "2025-06-30T17:00:00Z" } : {}),
      appId,
      appEntitlementId,
    },
    exclusion: {
      appId,
      appEntitlementId,
      userIds: (automation.excludedUsers ?? []).map((user) => idFor(user, "user", names)),
    },
  };
}

function condition({ cel, basic, none, entitlements }: SeedAutomation, find: Finder, path: Path): JsonObject {
  const refs = entitlements?.map((words, place) => {
    const { appId, id } = find.entitlement(words, [...path, "entitlements", place]);
    return { appId, id };
  });
  return {
    ...(cel === undefined ? {} : { cel: { expression: cel } }),
    ...(basic === undefined ? {} : { basic: { expression: basic } }),
    ...(none === true ? { none: {} } : {}),
    ...(refs === undefined ? {} : { entitlements: { entitlementRefs: refs } }),
  };
}
