import { type Json, type JsonObject, same } from "../model/json.js";

/** What a create of a ring writes before it may name the others. It gives no one more than the whole object does. */
export type Meanwhile =
  /** Without these fields, whose absence gives no one access. */
  | { readonly as: "without"; readonly fields: readonly string[] }
  /** With these fields alone of what decides, which refuse all. */
  | {
      readonly as: "refusing";
      readonly fields: readonly string[];
      readonly with: (identity: JsonObject) => JsonObject;
    };

/** An object as a create of a ring leaves it. */
export function meanwhileOf(meanwhile: Meanwhile, identity: JsonObject, whole: JsonObject): JsonObject {
  const kept = Object.entries(whole).filter(([name]) => !meanwhile.fields.includes(name));
  const put: Readonly<Record<string, Json>> = meanwhile.as === "refusing" ? meanwhile.with(identity) : {};
  return { ...Object.fromEntries(kept), ...put };
}

/** The fields that the last write of a ring sets. */
export function writtenLast(first: JsonObject, whole: JsonObject): readonly string[] {
  const names = [...new Set([...Object.keys(whole), ...Object.keys(first)])];
  return names.filter((name) => !same(first[name] ?? null, whole[name] ?? null));
}
