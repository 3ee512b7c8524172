import { OWN_APP } from "../../kinds/app.js";
import type { Kind } from "../../kinds/kind.js";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import type { ShownNames } from "../../tenant/known.js";
import { say } from "../../words/say.js";

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
