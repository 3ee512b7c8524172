import { isObject, type Json, type JsonObject } from "../model/json.js";
import { inside } from "./spelling.js";

/** The members around a record, the outermost first: `appResourceView.appResource`; empty where nothing is around it. */
export type Around = string;

/** Those members, one by one. */
export function membersOf(around: Around): readonly string[] {
  return around === "" ? [] : around.split(".");
}

/** The record that they are around; none where something else stands there. */
export function recordIn(body: Json, around: Around): readonly JsonObject[] {
  const record = membersOf(around).reduce<Json>((value, name) => inside(value, name) ?? null, body);
  return isObject(record) ? [record] : [];
}

/** Fields with those members around them. */
export function wrapped(around: Around, fields: JsonObject): JsonObject {
  return membersOf(around).reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), fields);
}
