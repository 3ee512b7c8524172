import { isObject, type JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { EntitlementRef } from "./people.js";
import { inside, listOf, textOf, textsOf } from "./spelling.js";

/** Whom one step of a policy asks, as far as the policy itself says it. */
export interface Approvers {
  readonly path: Path;
  readonly ask: /** Those of them who are enabled. */
    | { readonly as: "users"; readonly ids: readonly string[] }
    /** Those who hold it. */
    | { readonly as: "group"; readonly of: EntitlementRef }
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
  const isNotKnown = BY_SERVICE.some((arm) => {
    const asked = inside(approval, arm);
    return asked !== undefined && asked.fallback !== true;
  });
  return isNotKnown ? { as: "not known" } : null;
}

/** Owners, and what an expression finds. */
const BY_SERVICE = ["appOwners", "entitlementOwners", "resourceOwners", "expression"];
