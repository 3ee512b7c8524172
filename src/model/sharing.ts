import { isObject, type Json, type JsonObject, same } from "./json.js";

/** The same value, made of the parts of another one wherever those are equal: what is known twice is kept once. */
export function sharing<T extends Json>(value: T, other: Json | undefined): T {
  if (typeof value !== "object" || value === null || typeof other !== "object" || other === null)
    return value;
  if (same(value, other)) return other as T;
  if (Array.isArray(value) || !isObject(other)) return value;
  const members = Object.entries(value as JsonObject).map(
    ([name, member]) =>
      [name, sharing(member, Object.hasOwn(other, name) ? other[name] : undefined)] as const,
  );
  return Object.fromEntries(members) as T;
}
