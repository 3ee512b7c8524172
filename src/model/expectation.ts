import { isObject, type Json, type JsonObject } from "./json.js";
import { unfitCharacter } from "./key.js";

/** Asks what a value from outside should be; an absent member is undefined. */
export type Expectation = (value: Json | undefined) => boolean;

/** The members that an object must have, and what each should be. */
export type Members = Readonly<Record<string, Expectation>>;

export const isText: Expectation = (value) => typeof value === "string";
export const isTexts: Expectation = (value) => Array.isArray(value) && value.every(isText);
export const isFlag: Expectation = (value) => typeof value === "boolean";
export const isCount: Expectation = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0;
export const isMap: Expectation = isObject;

/** A kind and a name. */
export const isAddress: Expectation = (value) => isObject(value) && isText(value.kind) && isText(value.name);

/** A key that a manifest could have: an id in it becomes part of a URL. */
export const isKey: Expectation = (value) =>
  Array.isArray(value) && value.every((id) => typeof id === "string" && unfitCharacter(id) === null);

/** The same, or null. */
export const orNull =
  (one: Expectation): Expectation =>
  (value) =>
    value === null || one(value);

/** The same, or no such member. */
export const orAbsent =
  (one: Expectation): Expectation =>
  (value) =>
    value === undefined || one(value);

/** The first member that is missing, or that is not what it should be; undefined where all are as they should be. */
export function oddMember(value: JsonObject, members: Members): string | undefined {
  return Object.keys(members).find((name) => members[name]?.(value[name]) !== true);
}
