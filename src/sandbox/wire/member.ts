import { isObject, type Json, type JsonObject } from "../../model/json.js";

/** A text field's value; the empty text when it is unset. */
export function text(message: JsonObject, name: string): string {
  const value = message[name];
  return typeof value === "string" ? value : "";
}

/** A boolean field's value; false when it is unset. */
export function flag(message: JsonObject, name: string): boolean {
  return message[name] === true;
}

/** A message field's value; undefined when it is unset. */
export function part(message: JsonObject, name: string): JsonObject | undefined {
  const value = message[name];
  return isObject(value) ? value : undefined;
}

/** A repeated message field's items. */
export function parts(message: JsonObject, name: string): readonly JsonObject[] {
  return items(message, name).filter(isObject);
}

/** A repeated text field's items. */
export function texts(message: JsonObject, name: string): readonly string[] {
  return items(message, name).filter((item) => typeof item === "string");
}

/** A field mask's paths; none when it is unset or empty. */
export function paths(message: JsonObject, name: string): readonly string[] {
  return text(message, name)
    .split(",")
    .filter((path) => path !== "");
}

/** The named fields of a message, those of them that are set. */
export function pick(message: JsonObject, names: Iterable<string>): JsonObject {
  return Object.fromEntries(
    [...names].flatMap((name): [string, Json][] => {
      const value = message[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The message without the named fields. */
export function omit(message: JsonObject, names: Iterable<string>): JsonObject {
  const left = new Set(names);
  return Object.fromEntries(Object.entries(message).filter(([name]) => !left.has(name)));
}

function items(message: JsonObject, name: string): readonly Json[] {
  const value = message[name];
  return Array.isArray(value) ? value : [];
}
