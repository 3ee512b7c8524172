import { isObject, type Json, type JsonObject } from "../../../model/json.js";

/** From a name to the ids that a seed knows it for, by what is named. */
export interface Names {
  readonly user: ReadonlyMap<string, string>;
  readonly profile: ReadonlyMap<string, string>;
  readonly riskLevel: ReadonlyMap<string, string>;
  readonly complianceFramework: ReadonlyMap<string, string>;
}

/** The lists of a scope that hold ids, and what they are ids of. */
const LISTS: Readonly<Record<string, keyof Names>> = {
  userIds: "user",
  managerUserIds: "user",
  riskLevelAttributeValueIds: "riskLevel",
  complianceFrameworkAttributeValueIds: "complianceFramework",
  includedAccessProfileIds: "profile",
  excludedAccessProfileIds: "profile",
};

/** A scope with each name that the seed knows made the id that it stands for; anything else stays. */
export function withIds(scope: JsonObject, names: Names): JsonObject {
  return Object.fromEntries(
    Object.entries(scope).map(([key, value]): [string, Json] => {
      const kind = Object.hasOwn(LISTS, key) ? LISTS[key] : undefined;
      if (kind !== undefined && Array.isArray(value)) {
        return [key, value.map((each: Json) => (typeof each === "string" ? idFor(each, kind, names) : each))];
      }
      return [key, isObject(value) ? withIds(value, names) : value];
    }),
  );
}

/** The id that a name of a seed stands for; the name itself where it is not known. */
export function idFor(name: string, kind: keyof Names, names: Names): string {
  return names[kind].get(name) ?? name;
}
