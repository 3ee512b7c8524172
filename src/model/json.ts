/** A JSON value that nobody may change. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; its own properties only, whatever their names. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Whether a value is a JSON object, and not a list or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The one spelling of a value: names sorted, no spaces; equal values have equal spellings. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(",")}}`;
}

/** Whether two values are the same, order of names aside. */
export function same(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  if (typeof one !== "object" || typeof other !== "object") return false;
  return canonical(one) === canonical(other);
}
