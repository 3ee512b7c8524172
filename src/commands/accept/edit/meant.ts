import { isObject, type Json, type JsonObject } from "../../../model/json.js";
import { type Meanings, spellManifest, spellReference } from "../../../model/meaning.js";
import type { Shape, SpecShape } from "../../../schema/shape.js";
import { finderIn } from "../../../tenant/names/lookup.js";

/**
 * A spec with the ids that its names mean, without asking the service. A name without a meaning stays as it is written. Rows
 * and members stand where they are written.
 */
export function meantBy(spec: JsonObject, shape: SpecShape, meanings: Meanings): JsonObject {
  function visit(value: Json, at: Shape | SpecShape | undefined, holder: JsonObject): Json {
    if (at === undefined || value === null || typeof value !== "object") return value;
    if (at.type === "string") {
      if (at.form.is !== "id" || !isObject(value)) return value;
      const app = at.form.within === undefined ? "" : holder[at.form.within];
      if (typeof app !== "string") return value;
      const { manifest } = at.form;
      if (manifest !== undefined && typeof value.manifest === "string")
        return meanings[spellManifest(manifest, value.manifest)] ?? value;
      const { by, wanted: text } = finderIn(value);
      return meanings[spellReference({ of: at.form.of, app, by, text })] ?? value;
    }
    if (at.type === "list" && Array.isArray(value)) return value.map((item) => visit(item, at.item, holder));
    if (!isObject(value) || (at.type !== "object" && at.type !== "map")) return value;
    const shapeOf = (name: string) => (at.type === "map" ? at.value : at.fields.get(name));
    // What stands beside an app is looked for within it.
    const isApp = (name: string) => isAppId(shapeOf(name));
    const apps = members(value, (name, item) => (isApp(name) ? visit(item, shapeOf(name), value) : item));
    return members(apps, (name, item) => (isApp(name) ? item : visit(item, shapeOf(name), apps)));
  }
  return visit(spec, shape, {}) as JsonObject;
}

/** Whether a value has a name that no meaning is known of. */
export function hasUnknownName(value: Json, at: Shape | SpecShape | undefined): boolean {
  if (at === undefined || value === null || typeof value !== "object") return false;
  if (at.type === "string") return at.form.is === "id";
  if (at.type === "list") return Array.isArray(value) && value.some((item) => hasUnknownName(item, at.item));
  if (!isObject(value) || (at.type !== "object" && at.type !== "map")) return false;
  return Object.entries(value).some(([name, item]) =>
    hasUnknownName(item, at.type === "map" ? at.value : at.fields.get(name)),
  );
}

function isAppId(shape: Shape | undefined): boolean {
  return shape?.type === "string" && shape.form.is === "id" && shape.form.of === "app";
}

function members(value: JsonObject, change: (name: string, item: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(name, item)]));
}
