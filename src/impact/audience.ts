import type { Environment } from "@marcbachmann/cel-js";
import { type EntitlementRef, refIn } from "../kinds/people.js";
import { listOf, textOf, textsOf } from "../kinds/spelling.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { type Askable, askableOf, OF_ALL, OF_ONE } from "./alike.js";
import { enumValue, USER_STATUS } from "./enums.js";
import { holding, type Truth } from "./holding.js";

/** Whether a person is among the users that a scope asks for, whatever they hold. */
type Audience = Askable;

/** The members of a scope that choose users, and the one that restricts nothing. */
const USER_MEMBERS = ["allUsers", "selectedUsers", "userCriteria", "celExpression"] as const;

/** The part of a scope that chooses its users. */
export function usersPartOf(scope: JsonObject): JsonObject {
  return Object.fromEntries(
    USER_MEMBERS.flatMap((name) => (isObject(scope[name]) ? [[name, scope[name]]] : [])),
  );
}

/** The part of a scope that chooses what is reviewed of its users. */
export function othersPartOf(scope: JsonObject): JsonObject {
  const users: readonly string[] = USER_MEMBERS;
  return Object.fromEntries(
    Object.entries(scope).filter(([name, value]) => !users.includes(name) && value !== null),
  );
}

/** The groups that the users of a scope are chosen by. */
export function groupsIn(scope: JsonObject): readonly EntitlementRef[] {
  const { userCriteria } = scope;
  if (!isObject(userCriteria)) return [];
  return listOf(userCriteria, "groupAppEntitlementsRef").flatMap((ref) =>
    isObject(ref) ? [refIn(ref)] : [],
  );
}

/** The users of a scope. Undefined means that the scope was not seen. A scope without a choice of users means all of them. */
export function audienceOf(scope: JsonObject | null | undefined, language: Environment): Audience {
  if (scope === undefined) return ofAll(null, "the scope in the tenant was not seen");
  const member = USER_MEMBERS.find((name) => isObject(scope?.[name]));
  const value = member === undefined ? undefined : scope?.[member];
  if (member === undefined || !isObject(value) || member === "allUsers") return ofAll(true);
  switch (member) {
    case "selectedUsers": {
      const ids = new Set(textsOf(value, "userIds"));
      return { ...OF_ONE, about: ({ id }) => holding(ids.has(id)) };
    }
    case "celExpression":
      return askableOf(textOf(value, "expression"), language);
    case "userCriteria":
      return byCriteria(value);
  }
}

/** The same answer about everyone. */
function ofAll(truth: Truth, why: string | null = null): Audience {
  return { ...OF_ALL, about: () => holding(truth, why) };
}

const OPEN = "the groups of a scope may be left out or let in";

const CRITERIA = new Set([
  "userStatus",
  "managerUserIds",
  "multiUserProfileAttributes",
  "groupAppEntitlementsRef",
]);

function byCriteria(criteria: JsonObject): Audience {
  const isStrange = Object.keys(criteria).some((name) => !CRITERIA.has(name));
  const statuses = textsOf(criteria, "userStatus").map((name) => enumValue(USER_STATUS, name));
  const managers = new Set(textsOf(criteria, "managerUserIds"));
  const attributes = attributesIn(criteria.multiUserProfileAttributes);
  // The documents name these refs as people to leave out in one place, and say nothing in another.
  const hasGroups = listOf(criteria, "groupAppEntitlementsRef").length > 0;
  const isOpen = hasGroups || isStrange;
  const about: Audience["about"] = (person) => {
    const met: readonly boolean[] = [
      ...(statuses.length > 0 ? [statuses.includes(person.status)] : []),
      ...(managers.size > 0 ? [person.managerIds.some((id) => managers.has(id))] : []),
      ...attributes.map(({ key, values }) => hasValue(person.profile[key], values)),
    ];
    const all: Truth = met.includes(false) ? false : isOpen ? null : true;
    const why = all === null ? OPEN : null;
    // Who does not meet a criterion may meet another, or be in one of the groups: whether that is enough is not documented.
    const isMixed = met.includes(false) && (met.includes(true) || isOpen);
    // Of an attribute with several values, a person has to have one or all: either way, none of them is not enough.
    const isAny = attributes.some(
      ({ key, values }) => values.size > 1 && hasValue(person.profile[key], values),
    );
    const depends = [...(isMixed ? ["criteria" as const] : []), ...(isAny ? ["anyValue" as const] : [])];
    if (depends.length === 0) return holding(all, why);
    return { depends, under: (isFalse) => (depends.some((one) => isFalse.has(one)) ? null : all), why };
  };
  return { ...OF_ONE, about };
}

interface Attribute {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

function attributesIn(value: Json | undefined): readonly Attribute[] {
  if (!isObject(value)) return [];
  return Object.entries(value).map(([key, choice]) => {
    const rows = isObject(choice) ? listOf(choice, "values") : [];
    const texts = rows
      .map((row) => (isObject(row) ? row.value : null))
      .filter((one) => typeof one === "string");
    return { key, values: new Set(texts) };
  });
}

function hasValue(value: Json | undefined, values: ReadonlySet<string>): boolean {
  return (Array.isArray(value) ? value : [value]).some((one) => typeof one === "string" && values.has(one));
}
