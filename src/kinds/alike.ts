import type { Kind } from "./kind.js";
import { referable } from "./referable.js";

/** What two objects share that one description fits: `the same app and the same displayName`. */
export function sharedByAlike({ shape }: Pick<Kind, "shape">): string {
  const parents = shape.identity.slice(0, -1).map((name) => {
    const field = shape.fields.get(name);
    return field?.type === "string" && field.form.is === "id" ? referable(field.form.of).noun.one : name;
  });
  const all = [...parents, "displayName"].map((what) => `the same ${what}`);
  return [all.slice(0, -1).join(", "), all.at(-1) ?? ""].filter((part) => part !== "").join(" and ");
}

/** Where the siblings of an object are, behind their noun; empty for objects of the whole tenant. */
export function ofItsParent({ shape }: Pick<Kind, "shape">): string {
  return shape.identity.length > 1 ? " of the app" : "";
}
