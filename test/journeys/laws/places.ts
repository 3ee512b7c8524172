import type { JsonObject } from "../../../src/model/json.js";
import { C1_APP_ID } from "../../../src/sandbox/tenant/tenant.js";
import { idOf } from "../../fakes/many.js";

/** The app that is not the tenant's own. */
export const APP = idOf("app", 1);

/** The entitlements that a review can choose. */
export const ROLES = [1, 2, 3].map((number) => idOf("role", number));

/** One object that a scenario is about: what its manifest is called, and what the service calls it. */
export interface Place {
  readonly kind: "EntitlementAutomation" | "ResourceType" | "TemplateScope";
  readonly name: string;
  readonly identity: JsonObject;
  /** What the URL of every request about it contains; null where the service chooses the id. */
  readonly path: string | null;
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

/** All objects of a scenario on the larger interface. */
export const PLACES: readonly Place[] = [
  automation(1),
  automation(2),
  type(1),
  type(2),
  review(1),
  review(2),
  MADE,
];

/** The address as commands take it. */
export function addressOf({ kind, name }: Place): string {
  return `${kind}/${name}`;
}
