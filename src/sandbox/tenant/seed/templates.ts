import { isObject, type Json, type JsonObject } from "../../../model/json.js";
import type { Path } from "../../../model/path.js";
import { automation as automationMessage } from "../../messages/automation.js";
import { scope as scopeMessage } from "../../messages/scope.js";
import { template as templateMessage } from "../../messages/template.js";
import type { AutomationRow, ExclusionRow, SetupRow, TemplateRow } from "../tenant.js";
import { SEEDED_AT } from "./apps.js";
import type { Finder } from "./finder.js";
import { idOf } from "./naming.js";
import { idFor, type Names, withIds } from "./references.js";
import { checked, type SeedAutomation, type SeedTemplate } from "./shape.js";

/** The rows of one template of a seed. */
export function templateRows(
  template: SeedTemplate,
  find: Finder,
  names: Names,
  path: Path,
): { readonly template: TemplateRow; readonly setup: SetupRow } {
  const id = template.id ?? idOf("template", template.name);
  const { description, fields = {}, scope } = template;
  const row = {
    ...checked(fields, templateMessage, [...path, "fields"]),
    ...(description === undefined ? {} : { description }),
    ...(scope === undefined
      ? {}
      : { scope: checked(withIds(withGroups(scope, find, path), names), scopeMessage, [...path, "scope"]) }),
    ...SEEDED_AT,
    ...(template.deleted ? { deletedAt: "2025-06-30T17:00:00Z" } : {}),
    id,
    displayName: template.name,
  };
  const entitlements = (template.entitlements ?? []).map((words, place) => {
    const { appId, id } = find.entitlement(words, [...path, "entitlements", place]);
    return { appId, appEntitlementId: id, ...SEEDED_AT };
  });
  const resourceTypeSelections = (template.resourceTypes ?? []).map((words, place) => {
    const { appId, id } = find.type(words, [...path, "resourceTypes", place]);
    return { appId, resourceTypeId: id };
  });
  return { template: row, setup: { templateId: id, entitlements, resourceTypeSelections } };
}

/** The scope with each group that is written `App/name` made the reference it stands for. */
function withGroups(scope: JsonObject, find: Finder, path: Path): JsonObject {
  const { userCriteria } = scope;
  const groups = isObject(userCriteria) ? userCriteria.groupAppEntitlementsRef : undefined;
  if (!isObject(userCriteria) || !Array.isArray(groups)) return scope;
  const groupAppEntitlementsRef = groups.map((group: Json, place): Json => {
    if (typeof group !== "string") return group;
    const way = [...path, "scope", "userCriteria", "groupAppEntitlementsRef", place];
    const { appId, id } = find.entitlement(group, way);
    return { appId, id };
  });
  return { ...scope, userCriteria: { ...userCriteria, groupAppEntitlementsRef } };
}

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
