import type { Target } from "../schema/shape.js";
import type { Kind } from "./kind.js";

/** What one object writes about another one. */
export interface Relation {
  /** A verb before the other one, or a sentence around its place: `gives`, `has … in group A`. */
  readonly says: string;
  /** `part`: both are one thing, such as a group and who has it. `asks`: it looks at who has the other one. */
  readonly as: "part" | "gives" | "asks" | "decides" | "other";
}

/** What an id in a field says about the object that it names; null where it says nothing of access. The path has no places of lists. */
export function relationAt({ concern, shape }: Kind, path: readonly string[], of: Target): Relation | null {
  if (!OF_ACCESS.includes(of)) return null;
  const way = path.join(".");
  // An object that has its own id there is named by no one.
  if (path.length === 1 && way === shape.identity.at(-1)) {
    if (concern.as === "members") return { says: "decides who has", as: "part" };
    return concern.as === "audience" ? { says: "is the scope of", as: "part" } : null;
  }
  if (concern.as === "audience" && path[0] === "entitlements") return { says: "reviews", as: "asks" };
  const [, relation] = BY_FIELD.find(([field]) => field.test(way)) ?? [];
  return relation ?? { says: `names … in ${path[0] ?? ""}`, as: "other" };
}

const OF_ACCESS: readonly Target[] = ["entitlement", "resource", "template", "accessProfile", "policy"];

/** By the end of the path, or a part of it; the first that fits counts. */
const BY_FIELD: readonly (readonly [RegExp, Relation])[] = [
  [/^appResourceId$/, { says: "is an entitlement of", as: "part" }],
  [/^requestableEntries\b/, { says: "gives", as: "gives" }],
  [/^visibilityBindings\b/, { says: "is shown to those who have", as: "other" }],
  [/^bundleAutomation\b/, { says: "enrolls those who have", as: "other" }],
  [/^entitlements\.entitlementRefs\b/, { says: "gives it to those who have", as: "other" }],
  [/^groupA\b/, { says: "has … in group A", as: "asks" }],
  [/^groupB\b/, { says: "has … in group B", as: "asks" }],
  [/\bgroupAppEntitlementsRef\b/, { says: "reviews those who have", as: "asks" }],
  [/\bexcludedAccessProfileIds$/, { says: "leaves out grants of", as: "asks" }],
  [/\bincludedAccessProfileIds$/, { says: "reviews grants of", as: "asks" }],
  [/^owners\b/, { says: "is owned by those who have", as: "other" }],
  [/\bemergencyGrantPolicyId$/, { says: "sends emergency requests to", as: "decides" }],
  [/\b(?:grantPolicyId|requestPolicyId)$/, { says: "sends requests to", as: "decides" }],
  [/\brevokePolicyId$/, { says: "sends revokes to", as: "decides" }],
  [/\bcertifyPolicyId$/, { says: "sends its reviews to", as: "decides" }],
  [/^policyId$/, { says: "sends decisions to", as: "decides" }],
  [/\b(?:policyIds|policyId|baselinePolicyId)$/, { says: "may go on with", as: "decides" }],
  [/^scope\b/, { says: "is only for", as: "other" }],
  [/^policySteps\b/, { says: "asks those who have", as: "other" }],
  [/^(?:de)?provision/, { says: "is provisioned with", as: "other" }],
];
