/** A JSON value, readonly throughout. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; its own properties only, whatever their names. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Whether a value is a JSON object, and not a list or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How deep a JSON text from outside may nest: every walk over a value calls itself. */
const DEEPEST = 100;

/** Reads a JSON text from outside; undefined for one that is not JSON, or nests deeper than 100 levels. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return nestsWithin(value, DEEPEST) ? value : undefined;
  } catch {
    return undefined;
  }
}

function nestsWithin(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  const members: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
  return members.every((member) => nestsWithin(member, levels - 1));
}

/**
 * The one spelling of a value: names sorted, no spaces; equal values have equal spellings. Members that are undefined are
 * not part of it.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  let members = "";
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member === undefined) continue;
    members += `${members === "" ? "" : ","}${JSON.stringify(name)}:${canonical(member)}`;
  }
  return `{${members}}`;
}

/** Whether two values of JSON are the same, order of names aside. */
export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) && one.length === other.length && one.every((item, at) => same(item, other[at]))
    );
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]))
  );
}
