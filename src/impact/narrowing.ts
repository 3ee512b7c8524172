import { isObject, type Json, type JsonObject } from "../model/json.js";

/**
 * What else than its users narrows a review, before or after an edit of its scope: `grants (daysSinceLastUsed)`. Its
 * account criteria are left out where they were counted.
 */
export function narrowingOf(
  scopes: readonly (JsonObject | undefined)[],
  withCriteria: boolean,
): readonly string[] {
  return [
    ...part("accounts", scopes, (scope) => [
      ...(withCriteria ? membersOf(scope.accountCriteria) : []),
      ...(isObject(scope.accountCelExpression) ? ["accountCelExpression"] : []),
    ]),
    ...part("grants", scopes, (scope) => membersOf(scope.grantsByCriteria)),
    ...part("principals", scopes, ({ principalTypeFilter: filter }) =>
      typeof filter === "string" && filter.includes("RESOURCES") ? ["principalTypeFilter"] : [],
    ),
  ];
}

function part(
  name: string,
  scopes: readonly (JsonObject | undefined)[],
  criteria: (scope: JsonObject) => readonly string[],
): readonly string[] {
  const all = scopes.flatMap((scope) => (scope === undefined ? [] : criteria(scope)));
  const names = [...new Set(all)].sort();
  return names.length === 0 ? [] : [`${name} (${names.join(", ")})`];
}

function membersOf(value: Json | undefined): readonly string[] {
  return isObject(value) ? Object.keys(value).filter((name) => value[name] !== null) : [];
}
