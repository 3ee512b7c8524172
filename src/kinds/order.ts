import type { Shape, SpecShape } from "../schema/shape.js";
import type { Kind } from "./kind.js";

/** Kinds with each one behind those that its manifests refer to, and otherwise as they are given. */
export function inOrder(kinds: readonly Kind[]): readonly Kind[] {
  const [left, placed]: [Kind[], Kind[]] = [[...kinds], []];
  while (left.length > 0) {
    const next = left.findIndex((kind) => !left.some((other) => other !== kind && refersTo(kind, other)));
    if (next === -1) throw new Error(`${left.map(({ name }) => name).join(", ")} refer to each other`);
    placed.push(...left.splice(next, 1));
  }
  return placed;
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

type TextShape = Extract<Shape, { type: "string" }>;

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
