import type { Interface } from "../../src/kinds/interface.js";
import type { JsonObject } from "../../src/model/json.js";
import { C1_APP_ID, EMPTY_TENANT, type Tenant } from "../../src/sandbox/tenant/tenant.js";
import type { Manifest } from "./project.js";

/** A tenant with room for many objects, and the manifests for them, which differ from round to round. */
export interface Many {
  readonly tenant: Tenant;
  /** What is wanted in a round, from 1 on: more each time, and most of it otherwise than before. */
  readonly wanted: (round: number) => readonly Manifest[];
}

/** The app that resource types are made in. */
export const APP = idOf("app", 1);
const ROUNDS = 3;

/**
 * So many objects of all three kinds; on `core` none whose id the service would have to choose. Of some apps
 * there are four: a policy, the app that it decides for, its rules and a conflict.
 */
export function makeMany(size: number, spoken: Interface, apps = 0): Many {
  const governed = Array.from({ length: spoken === "full" ? apps : 0 }, (_, place) => place);
  const others = size - 4 * governed.length;
  const count = (share: number) => Array.from({ length: Math.round(others * share) }, (_, place) => place);
  const [groups, types, setups] = [count(0.45), count(0.2), count(0.1)];
  const made = spoken === "full" ? count(0.25) : [];
  return {
    tenant: {
      ...EMPTY_TENANT,
      open: false,
      apps: [
        { id: C1_APP_ID, displayName: "C1" },
        { id: APP, displayName: "GitHub" },
      ],
      entitlements: [
        ...groups.map((place) => ({
          appId: C1_APP_ID,
          id: idOf("entitlement", place),
          displayName: `Group ${place}`,
        })),
        ...[1, 2, 3].map((round) => ({ appId: APP, id: idOf("role", round), displayName: `Role ${round}` })),
      ],
      resourceTypes: types.map((place) => ({
        appId: APP,
        id: idOf("type", place),
        displayName: `Old type ${place}`,
        resourceType: "CUSTOM",
      })),
      templates: setups.map((place) => ({ id: idOf("template", place), displayName: `Review ${place}` })),
      conflicts: governed.map((place) => ({ id: idOf("conflict", place), displayName: `Conflict ${place}` })),
    },
    wanted(round) {
      const isThere = (place: number) => place % ROUNDS < round;
      return [
        ...groups.filter(isThere).map((place) => automation(place, spoken === "full" ? round : 1)),
        ...types.map((place) => type(place, round)),
        ...made.filter(isThere).map((place) => madeType(place, round)),
        ...setups.map((place) => setup(place, round)),
        ...governed.flatMap((place) => governedApp(place, round)),
      ];
    },
  };
}

/** An id of the service's form. */
export function idOf(word: string, number: number): string {
  return `${word}${String(number).padStart(27 - word.length, "0")}`;
}

/** An automation; on `core` a changed one would be created again, so it is the same in every round. */
function automation(place: number, round: number): Manifest {
  const spec: JsonObject = {
    appId: C1_APP_ID,
    appEntitlementId: idOf("entitlement", place),
    displayName: `Members ${place}`,
    cel: { expression: `subject.department == "Team ${place} in ${round}"` },
  };
  return { kind: "EntitlementAutomation", name: `members-${place}`, spec };
}

function type(place: number, round: number): Manifest {
  const spec: JsonObject = { appId: APP, id: idOf("type", place), displayName: `Type ${place} in ${round}` };
  return { kind: "ResourceType", name: `type-${place}`, spec };
}

/** A resource type without an id: half of them need a second call for their traits. */
function madeType(place: number, round: number): Manifest {
  const traits: JsonObject = place % 2 === 0 ? { traitIds: [idOf("trait", round)] } : {};
  const spec: JsonObject = { appId: APP, displayName: `Made ${place}`, resourceType: "CUSTOM", ...traits };
  return { kind: "ResourceType", name: `made-${place}`, spec };
}

function setup(place: number, round: number): Manifest {
  const spec: JsonObject = {
    templateId: idOf("template", place),
    scope: { specificResources: {}, celExpression: { expression: `subject.id == "${place} in ${round}"` } },
    entitlements: [{ appId: APP, appEntitlementId: idOf("role", round) }],
  };
  return { kind: "TemplateScope", name: `review-${place}`, spec };
}

/** An app that a policy decides for, with its rules in another order in each round, and a conflict with another group. */
function governedApp(place: number, round: number): readonly Manifest[] {
  const [app, policy] = [`app-${place}`, `policy-${place}`];
  const users = { userIds: [idOf("user", 1)] };
  const last = { approval: { users, requireApprovalReason: true } };
  const steps = [{ approval: { users } }, last].slice(round % 2);
  const rules = [1, 2, 3].map((number) => ({
    displayName: `Rule ${number} in ${round}`,
    condition: `entitlement.slug == "${number === round ? `new ${round}` : number}"`,
    settings: { maxGrantDuration: `${number}00s` },
  }));
  const group = (number: number) => [{ appId: APP, id: idOf("role", number) }];
  return [
    {
      kind: "Policy",
      name: policy,
      spec: {
        displayName: policy,
        description: `In ${round}`,
        policyType: "POLICY_TYPE_GRANT",
        policySteps: { grant: { steps } },
      },
    },
    {
      kind: "App",
      name: app,
      spec: {
        displayName: app,
        description: `In ${round}`,
        grantPolicyId: { manifest: policy },
        usageControls: { notify: true, notifyAfterDays: round },
      },
    },
    {
      kind: "AppConfigurationRules",
      name: `rules-${place}`,
      spec: { appId: { manifest: app }, rules: [...rules.slice(round), ...rules.slice(0, round)] },
    },
    {
      kind: "AccessConflict",
      name: `conflict-${place}`,
      spec: {
        id: idOf("conflict", place),
        displayName: `Conflict ${place} in ${round}`,
        groupA: group(round),
        groupB: group((round % 3) + 1),
      },
    },
  ];
}
