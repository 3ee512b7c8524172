import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { memberNamed, resourceNamed } from "./groups.js";
import type { Manifest, Spec } from "./project.js";

/** A manifest of a kind, and what a test may change of it. */
export interface KindCase {
  /** What the manifest refers to, and stays as it is. */
  readonly beside: readonly Manifest[];
  readonly spec: Spec;
  /** Fields that do not identify the object; none where each of them does. */
  readonly edit: Spec;
  /** What people call the object by, where that is another field. */
  readonly called?: "value";
}

const group = resourceNamed("eng", "Engineering");
const member = memberNamed("eng-member", "eng");
const template: Manifest = {
  kind: "ReviewTemplate",
  name: "q4",
  spec: { displayName: "Q4", ownerIds: ["u1"] },
};
const onMember = { appId: C1_APP_ID, appEntitlementId: { manifest: "eng-member" } };
const scopeOf = (status: string) => ({ userCriteria: { userStatus: [status] } });

/** One case for each kind; together they are one project. */
export const CASES: Readonly<Record<string, KindCase>> = {
  RiskLevel: { beside: [], spec: { value: "Critical" }, edit: {}, called: "value" },
  ComplianceFramework: { beside: [], spec: { value: "SOC 2" }, edit: {}, called: "value" },
  Policy: {
    beside: [],
    spec: {
      displayName: "Manager",
      policyType: "POLICY_TYPE_GRANT",
      policySteps: { grant: { steps: [{ approval: { manager: {} } }] } },
    },
    edit: { description: "edited" },
  },
  App: { beside: [], spec: { displayName: "Badges" }, edit: { instructions: "edited" } },
  AppConfigurationRules: {
    beside: [],
    spec: { appId: C1_APP_ID, rules: [{ displayName: "Rest" }] },
    edit: { rules: [{ displayName: "All" }] },
  },
  AccessConflict: { beside: [], spec: { displayName: "Pays" }, edit: { description: "edited" } },
  Webhook: {
    beside: [],
    spec: { displayName: "Desk", url: "https://a.example" },
    edit: { url: "https://b.example" },
  },
  ResourceType: {
    beside: [],
    spec: { appId: C1_APP_ID, displayName: "Team", resourceType: "CUSTOM" },
    edit: { displayName: "Team" },
  },
  Resource: { beside: [], spec: { ...group.spec, displayName: "Design" }, edit: { description: "edited" } },
  Entitlement: {
    beside: [group],
    spec: { ...member.spec, displayName: "Seat", alias: "seat" },
    edit: { description: "edited" },
  },
  EntitlementAutomation: {
    beside: [group, member],
    spec: { ...onMember, none: {}, displayName: "R" },
    edit: { displayName: "Edited" },
  },
  AccessProfile: {
    beside: [],
    spec: { appId: C1_APP_ID, displayName: "Basics" },
    edit: { description: "edited" },
  },
  ReviewTemplate: {
    beside: [],
    spec: { displayName: "Yearly", ownerIds: ["u1"] },
    edit: { description: "edited" },
  },
  TemplateScope: {
    beside: [template],
    spec: { templateId: { manifest: "q4" }, scope: scopeOf("ENABLED") },
    edit: { scope: scopeOf("DISABLED") },
  },
};
