import type { JsonObject } from "../../model/json.js";
import type { World } from "../operation.js";
import type { ResourceTypeRow } from "../tenant.js";
import { texts } from "../wire/member.js";
import { isDeleted } from "./existing.js";
import { textSearchOf } from "./textSearch.js";

/** The fewest types that a search must look at: those of the apps named, or all. */
export function typeCandidates(
  request: JsonObject,
  { store }: World,
): readonly (readonly ResourceTypeRow[])[] {
  const appIds = new Set(texts(request, "appIds"));
  return appIds.size > 0 ? [...appIds].map((appId) => store.types.of(appId)) : store.types.groups();
}

/** Whether a type passes every filter of a search. */
export function typesWantedBy(request: JsonObject, world: World): (row: ResourceTypeRow) => boolean {
  const ids = new Set(texts(request, "resourceTypeIds"));
  const excluded = new Set(texts(request, "excludeResourceTypeIds"));
  const traits = new Set(texts(request, "resourceTypeTraitIds"));
  const excludedTraits = new Set(texts(request, "excludeResourceTypeTraitIds"));
  const isFound = textSearchOf(request, world);
  // A sandbox's apps have no accounts, so no type is found by one.
  if (texts(request, "appUserIds").length > 0) return () => false;
  return (row) =>
    !isDeleted(row) &&
    (ids.size === 0 || ids.has(row.id)) &&
    !excluded.has(row.id) &&
    (traits.size === 0 || texts(row, "traitIds").some((trait) => traits.has(trait))) &&
    !texts(row, "traitIds").some((trait) => excludedTraits.has(trait)) &&
    isFound(row);
}
