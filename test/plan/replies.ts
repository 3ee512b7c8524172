import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import type { Kind } from "../../src/kinds/kind.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import { templateScope } from "../../src/kinds/templateScope.js";
import type { Json, JsonObject } from "../../src/model/json.js";
import type { Planned } from "../../src/plan/plan.js";
import type { Snapshot } from "../../src/state/snapshot.js";
import type { Desired } from "../../src/tenant/known.js";
import { absent, current, planOf, wish } from "./worlds.js";

export const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5C";
export const ENT = "2fsgTvxP0DVTsNXEUBI7hOe0l5D";
export const TYPE = "2fsgTvxP0DVTsNXEUBI7hOe0l5E";
export const TEMPLATE = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";

export const scope = (spec: JsonObject) => wish(templateScope, "q4", { templateId: TEMPLATE, ...spec });
export const automation = (spec: JsonObject) =>
  wish(entitlementAutomation, "group", { appId: APP, appEntitlementId: ENT, ...spec });
export const type = (spec: JsonObject) => wish(resourceType, "team", { appId: APP, id: TYPE, ...spec });

/** The plan for one manifest, and what the service answers when asked for the object. */
export function planFor(kind: Kind, desired: Desired, body: Json, state: Snapshot | null = null): Planned {
  const key = desired.key ?? [];
  const observed = kind.reads.observe(body, key);
  const seen = observed === undefined ? absent : ({ as: "present", ...observed } as const);
  return planOf({
    desired: [desired],
    current: current("full", [[kind, key, seen]]),
    snapshot: state,
  });
}
export const stepFor = (...from: Parameters<typeof planFor>) => {
  const [step] = planFor(...from).steps;
  if (step === undefined) throw new Error("no step");
  return step;
};

export const row = (appId: string, appEntitlementId: string, more: JsonObject = {}) => ({
  accessReviewTemplateEntitlement: {
    accessReviewTemplateId: TEMPLATE,
    appId,
    appEntitlementId,
    appResourceId: "r",
    appResourceTypeId: "t",
    policyId: "p",
    customPolicyId: "",
    tenantId: "x",
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-01-02T00:00:00Z",
    deletedAt: null,
    ...more,
  },
  appPath: "$.expanded[0]",
  entitlementPath: "",
  policyPath: "",
});
export const setup = (scopeNow: Json, list: readonly Json[] = []): Json => ({
  scope: scopeNow,
  list,
  expanded: [],
});
export const shown = (fields: JsonObject): Json => ({
  AppEntitlementAutomation: {
    appId: APP,
    appEntitlementId: ENT,
    displayName: "",
    description: "",
    createdAt: "2026-01-01T00:00:00Z",
    deletedAt: null,
    managedByRequestCatalogId: "",
    lastRunStatus: { status: "SUCCESS", lastCompletedAt: "2026-01-03T00:00:00Z" },
    ...fields,
  },
});
export const typeShown = (fields: JsonObject): Json => ({
  appResourceTypeView: {
    appResourceType: { appId: APP, id: TYPE, displayName: "", traitIds: [], ...fields },
  },
  expanded: [],
});
