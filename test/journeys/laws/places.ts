import type { JsonObject } from "../../../src/model/json.js";
import { typeIdOf } from "../../../src/sandbox/tenant/builtin.js";
import { C1_APP_ID } from "../../../src/sandbox/tenant/tenant.js";
import { idOf } from "../../fakes/many.js";

/** The app that is not the tenant's own. */
export const APP = idOf("app", 1);

/** The entitlements that a review can choose. */
export const ROLES = [1, 2, 3].map((number) => idOf("role", number));

/** One object that a scenario is about: what its manifest is called, and what the service calls it. */
export interface Place {
  readonly kind:
    | "EntitlementAutomation"
    | "ResourceType"
    | "TemplateScope"
    | "Webhook"
    | "Resource"
    | "Entitlement"
    | "ReviewTemplate"
    | "AccessProfile"
    | "App"
    | "AppConfigurationRules"
    | "Policy"
    | "RiskLevel"
    | "ComplianceFramework"
    | "AccessConflict";
  readonly name: string;
  readonly identity: JsonObject;
  /** What the URL of every request about it contains; null where the service chooses the id. */
  readonly path: string | null;
  /** Whether paths of other objects begin with its own. */
  readonly isParent?: true;
  /** How other paths end that are about it alone. */
  readonly parts?: readonly string[];
  /** Whether a connector made it: it is never deleted. */
  readonly isConnected?: true;
  /** What its manifest says of its parents, and the place that a field refers to: by its manifest, where it has one. */
  readonly beside?: JsonObject;
  readonly refers?: { readonly field: string; readonly to: Place };
}

const automation = (number: number): Place => ({
  kind: "EntitlementAutomation",
  name: `members-${number}`,
  identity: { appId: C1_APP_ID, appEntitlementId: idOf("group", number) },
  path: `/entitlements/${idOf("group", number)}/automation`,
});

const type = (number: number): Place => ({
  kind: "ResourceType",
  name: `type-${number}`,
  identity: { appId: APP, id: idOf("type", number) },
  path: `/resource_types/${idOf("type", number)}`,
});

const review = (number: number): Place => ({
  kind: "TemplateScope",
  name: `review-${number}`,
  identity: { templateId: idOf("review", number) },
  path: `/access_review_template/${idOf("review", number)}/`,
});

/** A resource type whose id the service chooses; only the larger interface can create it. */
export const MADE: Place = {
  kind: "ResourceType",
  name: "made",
  identity: { appId: APP, resourceType: "CUSTOM" },
  path: null,
};

/** The name by which a scenario knows the resource type whose id the service chooses. */
export const MADE_NAME = "Made";

const hook: Place = {
  kind: "Webhook",
  name: "hook",
  identity: { id: idOf("hook", 1) },
  path: `/webhooks/${idOf("hook", 1)}`,
};

const [GROUP, THING, MEMBER] = [typeIdOf("GROUP"), idOf("thing", 1), idOf("member", 1)];

const thing: Place = {
  kind: "Resource",
  name: "thing",
  identity: { appId: C1_APP_ID, appResourceTypeId: GROUP, id: THING },
  path: `/resources/${THING}`,
};

const member: Place = {
  kind: "Entitlement",
  name: "member",
  identity: { appId: C1_APP_ID, id: MEMBER },
  path: `/entitlements/${MEMBER}`,
  isParent: true,
  beside: { appResourceTypeId: GROUP, appResourceId: THING },
  refers: { field: "appResourceId", to: thing },
};

const rule: Place = {
  kind: "EntitlementAutomation",
  name: "rule",
  identity: { appId: C1_APP_ID, appEntitlementId: MEMBER },
  path: `/entitlements/${MEMBER}/automation`,
  refers: { field: "appEntitlementId", to: member },
};

const template: Place = {
  kind: "ReviewTemplate",
  name: "template",
  identity: { id: idOf("template", 1) },
  path: `/access_review_template/${idOf("template", 1)}`,
};

const profile: Place = {
  kind: "AccessProfile",
  name: "profile",
  identity: { appId: C1_APP_ID, id: idOf("catalog", 1) },
  path: `/catalogs/${idOf("catalog", 1)}`,
};

const TOOL = idOf("app", 2);

/** An app that people made, with its request defaults and usage controls. */
export const tool: Place = {
  kind: "App",
  name: "tool",
  identity: { id: TOOL },
  path: `/apps/${TOOL}`,
  isParent: true,
  parts: [`/apps/${TOOL}/access_request_defaults`, `/apps/${TOOL}/usage_controls`],
};

const rules: Place = {
  kind: "AppConfigurationRules",
  name: "rules",
  identity: { appId: TOOL },
  path: `/apps/${TOOL}/entitlement_configuration_rules`,
  refers: { field: "appId", to: tool },
};

/** An entitlement that a connector made: only its settings are managed. */
export const synced: Place = {
  kind: "Entitlement",
  name: "synced",
  identity: { appId: TOOL, id: idOf("synced", 1) },
  path: `/entitlements/${idOf("synced", 1)}`,
  isParent: true,
  isConnected: true,
  refers: { field: "appId", to: tool },
};

const byId = (kind: Place["kind"], name: string, at: string): Place => ({
  kind,
  name,
  identity: { id: idOf(name, 1) },
  path: `/${at}/${idOf(name, 1)}`,
});

/** Two policies; rules of the first may lead to the second. */
export const policies = ["approve", "escalate"].map((name) => byId("Policy", name, "policies")) as [
  Place,
  Place,
];
export const risk = byId("RiskLevel", "risk", "attributes/risk_levels");
export const framework = byId("ComplianceFramework", "framework", "attributes/compliance_frameworks");

const conflict: Place = {
  ...byId("AccessConflict", "conflict", "accessconflict"),
  parts: ["/appentitlementmonitorbinding", "/appentitlementmonitorbinding/get"],
};

/** All objects of a scenario on the larger interface. */
export const PLACES: readonly Place[] = [
  automation(1),
  automation(2),
  type(1),
  type(2),
  review(1),
  review(2),
  MADE,
  hook,
  thing,
  member,
  rule,
  template,
  profile,
  tool,
  rules,
  synced,
  ...policies,
  risk,
  framework,
  conflict,
];

/** Whether only the larger interface has the kind of a place, or of the place that it refers to. */
export function isFullOnly({ kind, refers }: Place): boolean {
  return NEWER.includes(kind) || (refers !== undefined && isFullOnly(refers.to));
}

const NEWER: readonly Place["kind"][] = [
  "Webhook",
  "Resource",
  "Entitlement",
  "ReviewTemplate",
  "AccessProfile",
  "App",
  "AppConfigurationRules",
  "Policy",
  "RiskLevel",
  "ComplianceFramework",
  "AccessConflict",
];

/** Whether an object can be created under its id again after a delete. */
export function isLasting(place: Place): boolean {
  return place !== MADE && (place.kind === "ResourceType" || NEWER.includes(place.kind));
}

/** The places that are under a place, directly or not. */
export function under(place: Place): readonly Place[] {
  const children = PLACES.filter(({ refers }) => refers?.to === place);
  return [...children, ...children.flatMap(under)];
}

/** The address as commands take it. */
export function addressOf({ kind, name }: Place): string {
  return `${kind}/${name}`;
}
