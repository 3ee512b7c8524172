import type { EntitlementRef } from "../kinds/people.js";
import { inside, listOf, textOf, textsOf } from "../kinds/spelling.js";
import { isObject, type JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";

/** Some people: those of a list who are enabled, or those who hold an entitlement. */
export type Answerers =
  | { readonly as: "users"; readonly ids: readonly string[] }
  | { readonly as: "group"; readonly of: EntitlementRef };

/** What has the owners that a step asks: the entitlement of a request, or its app or resource. */
export type OwnersOf = "app" | "entitlement" | "resource";

/** Whom one step of a policy asks, as far as the policy itself says it. */
export interface Approvers {
  readonly path: Path;
  readonly ask:
    | Answerers
    | { readonly as: "owners"; readonly of: OwnersOf }
    /** The service decides that for each request. */
    | { readonly as: "not known" };
}

/** The steps of a policy that may have no one to ask; the others ask someone of each person, or fall back on someone. */
export function approversIn(spec: JsonObject): readonly Approvers[] {
  return Object.entries(inside(spec, "policySteps") ?? {}).flatMap(([name, value]) =>
    listOf(isObject(value) ? value : {}, "steps").flatMap((step, at): readonly Approvers[] => {
      const approval = inside(step, "approval");
      const ask = approval === undefined ? null : askedBy(approval);
      return ask === null ? [] : [{ path: ["policySteps", name, "steps", at], ask }];
    }),
  );
}

function askedBy(approval: JsonObject): Approvers["ask"] | null {
  const users = inside(approval, "users");
  if (users !== undefined) return { as: "users", ids: textsOf(users, "userIds") };
  const group = inside(approval, "group");
  if (group !== undefined && group.fallback !== true)
    return { as: "group", of: { appId: textOf(group, "appId"), id: textOf(group, "appGroupId") } };
  const arm = Object.keys(BY_SERVICE).find((arm) => {
    const asked = inside(approval, arm);
    return asked !== undefined && asked.fallback !== true;
  });
  return arm === undefined ? null : (BY_SERVICE[arm] ?? null);
}

/** Owners, and what an expression finds. */
const BY_SERVICE: Readonly<Record<string, Approvers["ask"]>> = {
  appOwners: { as: "owners", of: "app" },
  entitlementOwners: { as: "owners", of: "entitlement" },
  resourceOwners: { as: "owners", of: "resource" },
  expression: { as: "not known" },
};
