import { chosen, compare } from "../../../diff/compare.js";
import { owns, type Unit, unitsOf } from "../../../diff/own.js";
import { isObject, type Json, type JsonObject } from "../../../model/json.js";
import { type Meanings, spellManifest, spellReference } from "../../../model/meaning.js";
import type { Group, Shape, SpecShape } from "../../../schema/shape.js";
import { finderIn } from "../../../tenant/names/lookup.js";
import { align, alignChoice, type Correction, corrected, normal, uncorrected } from "./align.js";
import type { NameOf } from "./written.js";

/**
 * Everything that has to be written for a spec to ask for what the tenant has, in the fields that it writes. A field that it
 * does not write belongs to the service.
 */
export function correctionsOf(
  spec: JsonObject,
  meanings: Meanings,
  current: JsonObject,
  shape: SpecShape,
  nameOf: NameOf,
): readonly Correction[] {
  const meant = meantBy(spec, shape, meanings);
  const owned = Object.keys(spec);
  return unitsOf(shape)
    .filter((unit) => owns(owned, unit))
    .flatMap((unit) => {
      const unclear = unit.members.find((name) =>
        hasUnknownName(meant[name] ?? null, shape.fields.get(name)),
      );
      if (unclear === undefined) return correctionsOfUnit(unit, { written: spec, meant, current }, nameOf);
      return [uncorrected([unclear], "a name in it was not looked up in the plan")];
    });
}

interface Specs {
  readonly written: JsonObject;
  readonly meant: JsonObject;
  readonly current: JsonObject;
}

function correctionsOfUnit({ name, shape }: Unit, specs: Specs, nameOf: NameOf): readonly Correction[] {
  const { written, meant, current } = specs;
  const [group] = shape.groups;
  if (group !== undefined) {
    const member = chosen(meant, group);
    return chosen(current, group) === null && member !== null
      ? clearedChoice(member, group, shape, written)
      : alignChoice(specs, group, shape.fields, { path: [], place: [], holder: current }, nameOf);
  }
  const field = shape.fields.get(name);
  if (field === undefined) return [];
  const now = current[name] ?? null;
  if (now === null) {
    const isCleared = compare(undefined, normal(meant[name] ?? null, field), field).length === 0;
    return isCleared ? [] : [cleared(name, field)];
  }
  const triple = { written: written[name] ?? null, meant: meant[name] ?? null, current: now };
  return align(triple, field, { path: [name], place: [name], holder: current }, nameOf);
}

/** A choice that the tenant no longer has. A marker cannot be null, so another member says that nothing is chosen. */
function clearedChoice(
  member: string,
  { members }: Group,
  { fields }: Unit["shape"],
  written: JsonObject,
): readonly Correction[] {
  if (fields.get(member)?.type !== "marker") return [cleared(member, fields.get(member))];
  const others = members.filter((name) => fields.get(name)?.type !== "marker");
  const place = [member];
  if (others.some((name) => Object.hasOwn(written, name)))
    return [corrected(place, { do: "members", path: [], removed: [member], added: [] })];
  const name = others.find((one) => hasExpression(fields.get(one))) ?? others[0];
  if (name === undefined) return [uncorrected(place, "the tenant has no choice here")];
  return [corrected(place, { do: "swap", path: [], from: member, to: { name, value: null } })];
}

function hasExpression(shape: Shape | undefined): boolean {
  if (shape?.type !== "object") return false;
  return [...shape.fields.values()].some((one) => one.type === "string" && one.form.is === "expression");
}

/** A field that the manifest keeps and that the tenant no longer sets: it is cleared on purpose. */
function cleared(name: string, shape: Shape | undefined): Correction {
  return corrected([name], { do: "set", path: [name], value: emptyOf(shape), isProse: false });
}

function emptyOf(shape: Shape | undefined): Json {
  if (shape?.type === "list") return [];
  const isText = shape?.type === "string" && (shape.form.is === "plain" || shape.form.is === "text");
  return isText ? "" : null;
}

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
function hasUnknownName(value: Json, at: Shape | SpecShape | undefined): boolean {
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
