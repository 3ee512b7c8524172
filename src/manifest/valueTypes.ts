import { ENUMS } from "./declared.js";

/** What people call a value of a type of an expression, and several of them. */
const NOUNS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ["a text", "texts"],
  bool: ["a truth value", "truth values"],
  int: ["a whole number", "whole numbers"],
  uint: ["an unsigned number", "unsigned numbers"],
  double: ["a decimal number", "decimal numbers"],
  bytes: ["bytes", "bytes"],
  null: ["null", "nulls"],
  map: ["a map", "maps"],
  optional: ["an optional value", "optional values"],
  type: ["a type", "types"],
  dyn: ["any value", "values"],
  "google.protobuf.Timestamp": ["a time", "times"],
  "google.protobuf.Duration": ["a duration", "durations"],
  User: ["a user", "users"],
  AppUser: ["an account", "accounts"],
  AppUserStatus: ["the status of an account", "statuses of accounts"],
  Group: ["a group", "groups"],
  AskedEntitlement: ["an entitlement", "entitlements"],
  EntitlementPart: ["a role or scope of an entitlement", "roles or scopes of entitlements"],
  Task: ["a task", "tasks"],
  TaskAnalysis: ["the analysis of a task", "analyses of tasks"],
};

/** A value of a type, in words. */
export function describeType(type: string): string {
  const item = itemOf(type);
  if (item !== null) return `a list of ${nounsOf(item)[1]}`;
  return nounsOf(type)[0];
}

function nounsOf(type: string): readonly [one: string, many: string] {
  const [, base = ""] = /^([\w.]+)/.exec(type) ?? [];
  if (base === "list") return ["a list", "lists"];
  const article = /^[aeio]/i.test(base) ? "an" : "a";
  return NOUNS[base] ?? [`${article} ${base}`, `values of ${base}`];
}

/** The type of what a list holds; null where it is not a list. */
export function itemOf(type: string): string | null {
  if (type === "list") return "dyn";
  return /^list<(.*)>$/.exec(type)?.[1] ?? null;
}

/** Whether a type is one of numbers; the service has enums as numbers, too. */
export function isNumber(type: string): boolean {
  return ["int", "uint", "double"].includes(type) || isEnum(type);
}

/** Whether a type is an enum. */
export function isEnum(type: string): boolean {
  return Object.hasOwn(ENUMS, type);
}

/** Whether values of two types can be compared, as far as that is known: the library is stricter than CEL. */
export function areComparable(one: string, other: string): boolean {
  if ([one, other].some((type) => type.startsWith("dyn") || type === "null" || /^[A-Z]$/.test(type)))
    return true;
  const [item, otherItem] = [itemOf(one), itemOf(other)];
  if (item !== null && otherItem !== null) return areComparable(item, otherItem);
  return one === other || (isNumber(one) && isNumber(other));
}
