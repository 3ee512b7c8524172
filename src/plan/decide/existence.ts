import { OWN_APP } from "../../kinds/app.js";
import type { Kind } from "../../kinds/kind.js";
import { referable } from "../../kinds/referable.js";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import type { Seen, ShownNames } from "../../tenant/known.js";
import { say } from "../../words/say.js";
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

/**
 * Whether an object is in another app than the only one that takes its kind; false where that is not known. The id of the
 * tenant's own app counts only where its name agrees.
 */
export function isElsewhere({ isOwnAppOnly }: Kind, { appId }: JsonObject, names: ShownNames): boolean {
  const app = appId ?? OWN_APP.id;
  return isOwnAppOnly === true && app !== OWN_APP.id && names.get(`app:${OWN_APP.id}`) === OWN_APP.name;
}

/** Why such an object is not created. */
export function elsewhere({ span }: { readonly span: Span | null }, { noun, isPointedAt }: Kind): Diagnostic {
  const more = isPointedAt ? "" : " and an entitlement of that app, such as the membership of a group";
  return say("plan/other-app", { nouns: noun.many, name: OWN_APP.name, more }, { span });
}
