import { chosen, compare } from "../../../diff/compare.js";
import { owns, type Unit, unitsOf } from "../../../diff/own.js";
import type { Json, JsonObject } from "../../../model/json.js";
import type { Meanings } from "../../../model/meaning.js";
import type { Group, Shape, SpecShape } from "../../../schema/shape.js";
import { align, alignChoice, type Correction, normal } from "./align.js";
import { hasUnknownName, meantBy } from "./meant.js";
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
      const problem = "a name in it was not looked up in the plan";
      return [{ place: [unclear], operation: null, problem }];
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
  const at = { path: [name], place: [name], holder: current };
  return align(
    { written: written[name] ?? null, meant: meant[name] ?? null, current: now },
    field,
    at,
    nameOf,
  );
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
    return [{ place, operation: { do: "members", path: [], removed: [member], added: [] }, problem: null }];
  const name = others.find((one) => hasExpression(fields.get(one))) ?? others[0];
  if (name === undefined) return [{ place, operation: null, problem: "the tenant has no choice here" }];
  return [
    {
      place,
      operation: { do: "swap", path: [], from: member, to: { name, value: null } },
      problem: null,
    },
  ];
}

function hasExpression(shape: Shape | undefined): boolean {
  if (shape?.type !== "object") return false;
  return [...shape.fields.values()].some((one) => one.type === "string" && one.form.is === "expression");
}

/** A field that the manifest keeps and that the tenant no longer sets: it is cleared on purpose. */
function cleared(name: string, shape: Shape | undefined): Correction {
  const operation = { do: "set", path: [name], value: emptyOf(shape), isProse: false } as const;
  return { place: [name], operation, problem: null };
}

function emptyOf(shape: Shape | undefined): Json {
  if (shape?.type === "list") return [];
  const isText = shape?.type === "string" && (shape.form.is === "plain" || shape.form.is === "text");
  return isText ? "" : null;
}
