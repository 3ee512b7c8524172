import type { Call, Segment } from "../model/call.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { ValueDiagnostic } from "../schema/shape.js";
import { say } from "../words/say.js";
import type { ListedPart, Opening } from "./kind.js";
import type { KeyedWork } from "./row.js";
import { api2, get, inside, listOf, textOf, without } from "./spelling.js";

// docs/service/whole-tenant.md, section 5.

/** The field with the owners of an object: people, and entitlements whose holders own it. */
export const OWNERS = "owners";

/** The owners of an object whose path has these words, each before a part of its key. They are written one by one. */
export function ownersOf(noun: string, ...words: readonly string[]): ListedPart {
  const at = (key: readonly Segment[], ...rest: readonly Segment[]) =>
    api2(...words.flatMap((word, place) => [word, key[place] ?? ""]), OWNERS, ...rest);
  const write =
    (verb: string, method: "POST" | "DELETE", key: KeyedWork["key"]) =>
    (item: Json): Call => {
      const { user, entitlement, role } = ownerIn(item);
      const called = `${verb}${noun}Owner`;
      const changed = { field: OWNERS, value: item, isAdded: method === "POST" };
      return entitlement === undefined
        ? {
            operation: `${called}User`,
            method,
            path: at(key, "users", role, user),
            person: user,
            body: { userRef: { id: user } },
            effect: "repeatable",
            item: changed,
          }
        : {
            operation: `${called}Entitlement`,
            method,
            path: at(key, "entitlements", role, textOf(entitlement, "appId"), textOf(entitlement, "id")),
            body: { appEntitlementRef: entitlement },
            effect: "repeatable",
            item: changed,
          };
    };
  return {
    as: "lists",
    field: OWNERS,
    noun: "owners",
    usual: "role",
    mistakes: tooMany,
    calls: (key) => [
      get(`List${noun}OwnerUsers`, at(key, "users"), ["list"]),
      get(`List${noun}OwnerEntitlements`, at(key, "entitlements"), ["list"]),
    ],
    observe: (rows) => rows.flatMap(ownerShown),
    change(key, before, after) {
      const [was, is] = [listOf(before, OWNERS), listOf(after, OWNERS)];
      const [coming, going] = [without(is, was), without(was, is)];
      const [add, remove] = [write("Add", "POST", key), write("Remove", "DELETE", key)];
      const instead = replacing(was, coming, going);
      const early = new Set(instead.values());
      return [
        ...coming.flatMap((item) => {
          const one = instead.get(item);
          return one === undefined ? [add(item)] : [remove(one), add(item)];
        }),
        ...going.filter((item) => !early.has(item)).map(remove),
      ];
    },
  };
}

/** So many of each sort, people and entitlements, may own one object. */
const MOST = 32;

const SORTS = { user: "people", entitlement: "entitlements" };

function isOf(item: Json, sort: string): boolean {
  return isObject(item) && Object.hasOwn(item, sort);
}

/** Those who come, each with the one who goes just before, where there are too many of a sort for both. */
function replacing(was: readonly Json[], coming: readonly Json[], going: readonly Json[]) {
  const pairs = Object.keys(SORTS).flatMap((sort) => {
    const of = (items: readonly Json[]) => items.filter((item) => isOf(item, sort));
    const gone = of(going);
    const room = Math.max(0, MOST - of(was).length);
    return of(coming)
      .slice(room)
      .flatMap((item, place) => gone.slice(place, place + 1).map((one) => [item, one] as const));
  });
  return new Map(pairs);
}

function tooMany(items: readonly Json[]): readonly ValueDiagnostic[] {
  return Object.entries(SORTS).flatMap(([sort, many]) => {
    const places = items.flatMap((item, place) => (isOf(item, sort) ? [place] : []));
    const over = places[MOST];
    if (over === undefined) return [];
    return [say("rule/too-many-owners", { most: MOST, many }, { path: ["spec", OWNERS, over], on: "value" })];
  });
}

function ownerIn(item: Json) {
  const owner = isObject(item) ? item : {};
  return {
    user: textOf(owner, "user"),
    entitlement: inside(owner, "entitlement"),
    role: textOf(owner, "role"),
  };
}

/** The owner in a row of a list; nothing for a row of neither sort. */
function ownerShown(row: Json): readonly JsonObject[] {
  const role = isObject(row) ? textOf(row, "roleSlug") : "";
  const [user, entitlement] = [inside(row, "user"), inside(row, "appEntitlement")];
  if (user !== undefined && textOf(user, "id") !== "") return [{ user: textOf(user, "id"), role }];
  if (entitlement === undefined) return [];
  return [{ entitlement: { appId: textOf(entitlement, "appId"), id: textOf(entitlement, "id") }, role }];
}

/** That an object would have no owner any more. */
export function leavesUnowned(before: JsonObject | null, after: JsonObject): readonly Opening[] {
  if (listOf(before ?? {}, OWNERS).length === 0 || listOf(after, OWNERS).length > 0) return [];
  return [say("guard/no-owner-left")];
}
