import type { Call, Segment } from "../model/call.js";
import { isObject, type Json, type JsonObject, same } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { SpecShape } from "../schema/shape.js";

const V1: readonly Segment[] = ["api", "v1"];

const V2: readonly Segment[] = ["api", "v2"];

/** The members around a record, the outermost first: `appResourceView.appResource`; empty where nothing is around it. */
export type Around = string;

/** A path of the service, below its version. */
export function api(...segments: readonly Segment[]): readonly Segment[] {
  // Unlike a spread, it makes a list without room for more: plans keep many.
  return V1.concat(segments);
}

/** A path of the second version of the service, which has few. */
export function api2(...segments: readonly Segment[]): readonly Segment[] {
  return V2.concat(segments);
}

/** A member of a record or of a reply's envelope, where it is an object. */
export function inside(body: Json, name: string): JsonObject | undefined {
  const value = isObject(body) ? body[name] : undefined;
  return isObject(value) ? value : undefined;
}

/** Whether a record is of something deleted: the service keeps it and sets the time. */
export function isGone(record: JsonObject): boolean {
  return typeof record.deletedAt === "string" && record.deletedAt !== "";
}

/** When the service made the object of a record, and when it was changed last; nothing where the record does not say. */
export function timesOf(record: JsonObject): { readonly createdAt?: string; readonly changedAt?: string } {
  const [createdAt, changedAt] = [textOf(record, "createdAt"), textOf(record, "updatedAt")];
  return { ...(createdAt === "" ? {} : { createdAt }), ...(changedAt === "" ? {} : { changedAt }) };
}

/** A text member of a record; empty where it is not set. */
export function textOf(record: JsonObject, name: string): string {
  const value = record[name];
  return typeof value === "string" ? value : "";
}

/** A list member of a record; empty where it is not set. */
export function listOf(record: JsonObject, name: string): readonly Json[] {
  const value = record[name];
  return Array.isArray(value) ? value : [];
}

/** The texts in a list member of a record; empty where it is not set. */
export function textsOf(record: JsonObject, name: string): readonly string[] {
  return listOf(record, name).filter((item) => typeof item === "string");
}

/** The items of a list that are not in another one. */
export function without(some: readonly Json[], others: readonly Json[]): readonly Json[] {
  return some.filter((one) => !others.some((other) => same(one, other)));
}

/** The key that a spec of a kind writes: the ids of its identity, in their order; null where one is missing. */
export function keyIn({ identity }: Pick<SpecShape, "identity">, spec: JsonObject): Key | null {
  const ids: string[] = [];
  for (const name of identity) {
    const id = spec[name];
    if (typeof id !== "string") return null;
    ids.push(id);
  }
  return ids;
}

/** The key of an object that a write is about; the part that the service has yet to choose is empty. */
export function keyAsked(
  { key, identity }: { readonly key: Key | null; readonly identity: JsonObject },
  shape: Pick<SpecShape, "identity">,
): Key {
  return key ?? shape.identity.map((name) => textOf(identity, name));
}

/** What people call an object by its fields: its display name, or the value that it is; empty where it has none. */
export function nameIn(fields: JsonObject): string {
  return textOf(fields, "displayName") || textOf(fields, "value");
}

/** The field that the name of an object stands in. */
export function nameField({ shape }: { readonly shape: Pick<SpecShape, "fields"> }): string {
  return shape.fields.has("displayName") ? "displayName" : "value";
}

/** Whether an object has the name that a manifest writes. */
export function hasSameName(spec: JsonObject, { fields }: { readonly fields: JsonObject }): boolean {
  return nameIn(spec) !== "" && nameIn(fields) === nameIn(spec);
}

/** A field mask: one text, the names in camel case, in a fixed order. */
export function mask(fields: readonly string[]): string {
  return [...fields].sort().join(",");
}

/** The members of a record that are set, by name. */
export function pick(record: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = record[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

/** Whether a text has the form of the service's ids, which are KSUIDs. */
export function isId(text: string): boolean {
  return /^[0-9A-Za-z]{27}$/.test(text);
}

/** The read of one object, or of what the service keeps behind a path of its own. */
export function get(operation: string, path: readonly Segment[], expects: readonly string[]): Call {
  return { operation, method: "GET", path, effect: "read", expects };
}

/** The paged list of everything behind a path. */
export function list(operation: string, ...path: readonly string[]): Call {
  return get(operation, api(...path), ["list"]);
}

/** The paged search of that name: `app_users` is `SearchAppUsers`. */
export function search(what: string, body: JsonObject): Call {
  const operation = `Search${what.split("_").map(capitalised).join("")}`;
  return { operation, method: "POST", path: api("search", what), body, effect: "read", expects: ["list"] };
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

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

/** What the files of a kind are called, its schema and its page: `template-scope` for `TemplateScope`. */
export function fileNameOf(kind: string): string {
  return kind.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}
