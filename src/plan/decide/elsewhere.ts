import type { ShownNames } from "../../current/known.js";
import type { Kind } from "../../kinds/kind.js";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { Key } from "../../model/key.js";

// docs/service/live.md, section 1B: the same id in every tenant seen. The name has to agree, because that is not documented.
const OWN_APP = { id: "2fsgTvxP0DVTsNXEUBI7hOe0l5A", name: "C1" };

/** Whether an object is in another app than the only one that takes its kind; false where that is not known. */
export function isElsewhere({ isOwnAppOnly }: Kind, key: Key | null, names: ShownNames): boolean {
  const app = key?.[0] ?? OWN_APP.id;
  return isOwnAppOnly === true && app !== OWN_APP.id && names.get(`app:${OWN_APP.id}`) === OWN_APP.name;
}

/** Why such an object is not created. */
export function elsewhere({ span }: { readonly span: Span | null }, { noun }: Kind): Diagnostic {
  return {
    code: "plan/other-app",
    severity: "error",
    message: `the service takes ${noun.many} only in the tenant's own app ${OWN_APP.name}`,
    hint: `Write \`appId: { name: ${OWN_APP.name} }\` and an entitlement of that app, such as the membership of a group.`,
    ...(span === null ? {} : { span }),
  };
}
