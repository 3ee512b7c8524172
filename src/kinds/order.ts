import type { Shape, SpecShape, TextShape } from "../schema/shape.js";
import type { Kind } from "./kind.js";

/**
 * Kinds with each one behind those that its manifests refer to, and otherwise as they are given. Kinds that refer to each
 * other stand as they are given, too: the order of their objects is decided object by object.
 */
export function inOrder(kinds: readonly Kind[]): readonly Kind[] {
  const [left, placed]: [Kind[], Kind[]] = [[...kinds], []];
  while (left.length > 0) {
    const needs = new Map(left.map((kind) => [kind, needsAmong(left, kind)]));
    const isFirst = (kind: Kind) =>
      [...(needs.get(kind) ?? [])].every((other) => needs.get(other)?.has(kind));
    placed.push(...left.splice(left.findIndex(isFirst), 1));
  }
  return placed;
}

/** The kinds that a kind refers to, and those that these refer to. */
function needsAmong(kinds: readonly Kind[], kind: Kind): ReadonlySet<Kind> {
  const found = new Set<Kind>();
  const open = [kind];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const other of kinds) {
      if (other === kind || found.has(other) || other === next || !refersTo(next, other)) continue;
      found.add(other);
      open.push(other);
    }
  }
  return found;
}

/** Whether a manifest of a kind may stand for the other kind's object, or name its id. */
function refersTo({ shape }: Kind, { name, shape: other, isPointedAt }: Kind): boolean {
  const own = other.fields.get(other.identity.at(-1) ?? "");
  const target = isPointedAt && own?.type === "string" && own.form.is === "id" ? own.form.of : "other";
  return isAnywhere(
    shape,
    ({ form }) => form.is === "id" && (form.manifest === name || (form.of !== "other" && form.of === target)),
  );
}

function isAnywhere(shape: Shape | SpecShape, test: (text: TextShape) => boolean): boolean {
  switch (shape.type) {
    case "string":
      return test(shape);
    case "list":
      return isAnywhere(shape.item, test);
    case "map":
      return isAnywhere(shape.value, test);
    case "object":
      return [...shape.fields.values()].some((field) => isAnywhere(field, test));
    default:
      return false;
  }
}
