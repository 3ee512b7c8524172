import type { Json, JsonObject } from "../model/json.js";
import type { Shape, SpecShape } from "./shape.js";

/**
 * What a write sends for a field that it clears, for each field of a spec that has such a value. An object, a choice or
 * a time is cleared where the mask names it and the body does not.
 */
export function clearingValues({ fields }: Pick<SpecShape, "fields">): JsonObject {
  return Object.fromEntries(
    [...fields].flatMap(([name, shape]) => {
      const value = clearing(shape);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function clearing(shape: Shape): Json | undefined {
  switch (shape.type) {
    case "boolean":
      return false;
    case "number":
      return 0;
    case "list":
      return [];
    case "string":
      return clearingText(shape);
    default:
      return undefined;
  }
}

function clearingText({ form }: Extract<Shape, { type: "string" }>): string | undefined {
  if (form.is === "enum") return form.unset[0];
  return form.is === "duration" || form.is === "timestamp" ? undefined : "";
}
