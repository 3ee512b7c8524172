import type { Path } from "../model/path.js";
import type { Shape, SpecShape } from "./shape.js";

/** The shape of the value that a path leads to; undefined where the schema describes none. */
export function shapeAt(shape: Shape | SpecShape, path: Path): Shape | SpecShape | undefined {
  return path.reduce<Shape | SpecShape | undefined>((here, part) => {
    if (here?.type === "object") return here.fields.get(String(part));
    if (here?.type === "map") return here.value;
    return here?.type === "list" ? here.item : undefined;
  }, shape);
}
