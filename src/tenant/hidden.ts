import type { Kind, Observed } from "../kinds/kind.js";
import { nameIn } from "../kinds/spelling.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { say } from "../words/say.js";

type Form = Pick<Kind, "noun" | "shape">;

/**
 * What is wrong with an object that is shown without a field that every object of its kind has; null where it has them
 * all. The service shows a field blank where the token may not see it, so nothing of such an object is known.
 */
export function hidden(kind: Form, observed: Observed): Diagnostic | null {
  const fields = hiddenFields(kind, observed);
  if (fields.length === 0) return null;
  const named = fields.map((name) => `\`${name}\``).join(" and ");
  return say("service/blank-fields#one", { noun: kind.noun.one, named });
}

/** Siblings that are shown without what a manifest would recognise them by; null where there are none. */
export function hiddenAmong(kind: Form, siblings: readonly Observed[]): Diagnostic | null {
  // An id may stand for a name in a manifest, so a name need not be required.
  const isHidden = (one: Observed) => nameIn(one.fields) === "" || hiddenFields(kind, one).length > 0;
  const count = siblings.filter(isHidden).length;
  if (count === 0) return null;
  return say("service/blank-fields#some", { count, noun: count === 1 ? kind.noun.one : kind.noun.many });
}

function hiddenFields({ shape }: Form, { fields }: Observed): readonly string[] {
  return shape.required.filter((name) => !Object.hasOwn(fields, name));
}
