import type { Kind } from "../../kinds/kind.js";
import { referable } from "../../kinds/referable.js";
import type { JsonObject } from "../../model/json.js";
import type { Seen } from "../../tenant/known.js";
import type { Existence } from "../step.js";

/** Whether an object is in the tenant, by what is known of it now; a recorded object is there until a read shows otherwise. */
export function existenceOf(seen: Seen): Existence {
  switch (seen.as) {
    case "present":
      return "yes";
    case "absent":
      return "no";
    case "recorded":
      return seen.fields === null ? "unknown" : "yes";
    case "unread":
      return "not read";
    default:
      return seen satisfies never;
  }
}

/** Names the object that a manifest belongs to and that the service does not have, by its id. */
export function missingParent(identity: JsonObject, { shape }: Kind): string {
  const name = shape.identity.at(-1) ?? "";
  const field = shape.fields.get(name);
  const noun =
    field?.type === "string" && field.form.is === "id" ? referable(field.form.of).noun.one : "object";
  return `no ${noun} has the id ${String(identity[name])}`;
}
