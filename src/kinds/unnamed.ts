import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Group, Shape } from "../schema/shape.js";

/**
 * The group whose choice an unnamed member is. Such a member is an object, and its name contains the group's first word,
 * as `futureUsersScope` does of `users_scope`: the service names its choices so. No member of the group that remit knows
 * is set.
 */
export function choiceFor(
  [name, value]: readonly [string, Json],
  beside: JsonObject,
  groups: readonly Group[],
): Group | undefined {
  if (!isObject(value)) return undefined;
  const low = name.toLowerCase();
  return groups.find(
    (group) => low.includes(wordOf(group)) && group.members.every((member) => !isObject(beside[member])),
  );
}

function wordOf({ name }: Group): string {
  return (name.split("_", 1)[0] ?? name).replace(/s$/, "");
}

/**
 * The condition, or other choice, of an object that remit has no name for: the unnamed members that are objects, where
 * no member of the group is set. `isKnown` says which members are something else.
 */
export function unnamedChoice(
  record: JsonObject,
  group: Group,
  isKnown: (name: string, value: Json) => boolean,
): JsonObject {
  if (group.members.some((member) => isObject(record[member]))) return {};
  const unnamed = Object.entries(record).filter(
    ([name, value]) => isObject(value) && !isKnown(name, value) && !group.members.includes(name),
  );
  if (unnamed.length === 0) return {};
  return { [group.name]: Object.fromEntries(unnamed.sort(([one], [other]) => (one < other ? -1 : 1))) };
}

/** A normalised value as it is sent: an unnamed choice stands beside the other members, as it came. */
export function asSent(value: Json, shape: Shape | undefined): Json {
  if (shape?.type !== "object" || !isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) =>
    shape.groups.some((group) => group.name === name) && !shape.fields.has(name) && isObject(member)
      ? Object.entries(member)
      : [[name, asSent(member, shape.fields.get(name))] as const],
  );
  // A plan keeps what is sent beside what is wanted: where both are the same, it is kept once.
  const isAsItWas =
    members.length === Object.keys(value).length && members.every(([name, member]) => value[name] === member);
  return isAsItWas ? value : Object.fromEntries(members);
}
