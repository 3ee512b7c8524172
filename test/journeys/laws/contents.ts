import fc from "fast-check";
import type { Json, JsonObject } from "../../../src/model/json.js";
import type { Place } from "./places.js";
import { type Spec, specOf } from "./values.js";

/** What the tenant keeps of an object, unit by unit, with members that only a later version of the service knows. */
export type Contents = Readonly<Record<string, Json>>;

const CONDITIONS = ["none", "entitlements", "cel", "basic"];

/** What an object may hold that remit did not write. */
export function contentsOf(place: Place, later: boolean): fc.Arbitrary<Contents> {
  const content = specOf(place).map(kept);
  if (!later) return content;
  return fc
    .tuple(content, fc.subarray([...WONDERS]))
    .map(([known, wonders]) => wonders.reduce((before: Contents, wonder) => wonder(before, place), known));
}

function kept(spec: Spec): Contents {
  const entries = Object.entries(spec).flatMap(([name, value]) =>
    value.kept === undefined ? [] : [[name, value.kept] as const],
  );
  return Object.fromEntries(entries);
}

type Wonder = (contents: Contents, place: Place) => Contents;

/** Content that remit has no name for, wherever the service may keep some (DESIGN §3, §4). */
const WONDERS: readonly Wonder[] = [
  (contents) => inScope(contents, (scope) => ({ ...scope, futureNote: "kept" })),
  (contents) =>
    inScope(contents, (scope) => {
      const { allUsers, selectedUsers, userCriteria, celExpression, ...rest } = scope;
      return { ...rest, futureUsersScope: { ids: ["x"] } };
    }),
  (contents) =>
    inScope(contents, (scope) =>
      scope.allUsers === undefined ? scope : { ...scope, allUsers: { futureSide: 1 } },
    ),
  (contents) => {
    const rows = contents.entitlements;
    if (!Array.isArray(rows)) return contents;
    return {
      ...contents,
      entitlements: rows.map((row: Json) => ({ ...(row as JsonObject), futureRow: "r" })),
    };
  },
  (contents, { kind }) => {
    if (kind !== "EntitlementAutomation") return contents;
    const known = Object.entries(contents).filter(([name]) => !CONDITIONS.includes(name));
    return { ...Object.fromEntries(known), futureConditions: { rule: "new" } };
  },
  (contents, { kind }) =>
    kind === "EntitlementAutomation" ? { ...contents, futureOwner: "them" } : contents,
];

function inScope(contents: Contents, change: (scope: JsonObject) => JsonObject): Contents {
  const { scope } = contents;
  if (scope === undefined || scope === null || typeof scope !== "object" || Array.isArray(scope))
    return contents;
  return { ...contents, scope: change(scope as JsonObject) };
}
