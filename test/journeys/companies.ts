import fc from "fast-check";
import type { Json, JsonObject } from "../../src/model/json.js";
import type { Manifest } from "../fakes/project.js";
import { idOf } from "../sandbox/visit.js";

/** Generated projects of a whole tenant: what they describe is made by an apply, and names each other by manifest. */

/** One object: its manifest as far as the named objects are there, and those that it cannot be without. */
export interface Member {
  readonly kind: string;
  readonly name: string;
  readonly needs: readonly string[];
  /** What has to go first: a list of rules stays in the tenant, and keeps what it names. */
  readonly keeps?: string | undefined;
  spec(isThere: (name: string) => boolean): JsonObject;
}

/** Whom the steps of generated policies ask. */
export const ANA = idOf("ana");

const MANAGER: JsonObject = { approval: { manager: { fallback: true, fallbackUserIds: [ANA] } } };
const CONDITIONS = ['entitlement.slug == "a"', 'entitlement.slug == "b"', 'entitlement.slug == "c"'];

const attribute = (kind: string, name: string): Member => {
  return { kind, name, needs: [], spec: () => ({ value: name }) };
};

/** A policy; it may ask a group of what is made before it, and lead to a policy made before it. */
function policyOf(
  name: string,
  group: string | undefined,
  next: string | undefined,
  isRuled: boolean,
): Member {
  return {
    kind: "Policy",
    name,
    needs: [],
    spec(isThere) {
      const rules: JsonObject[] = isRuled
        ? [{ condition: 'subject.department == "Law"', stepKey: "other" }]
        : [];
      if (next !== undefined && isThere(next))
        rules.push({ condition: "true", policyId: { manifest: next } });
      const isAsked = group !== undefined && isThere(group);
      const asked = { appId: { manifest: appOf(group ?? "") }, appGroupId: { manifest: group ?? "" } };
      return {
        displayName: name,
        policyType: "POLICY_TYPE_GRANT",
        policySteps: {
          grant: { steps: isAsked ? [{ approval: { group: asked } }, MANAGER] : [MANAGER] },
          ...(isRuled ? { other: { steps: [MANAGER, MANAGER] } } : {}),
        },
        rules,
      };
    },
  };
}

interface Given {
  readonly grant: boolean;
  readonly defaults: boolean;
  readonly usage: boolean;
  readonly rules: readonly number[];
}

/** The app that an entitlement of a generated project belongs to. */
function appOf(entitlement: string): string {
  return entitlement.replace("seat", "app");
}

/** An app with its rules and an entitlement; it names a policy that is made before it, or none. */
function appsMembers(at: string, policy: string | undefined, given: Given): readonly Member[] {
  const [app, type, thing, seat] = ["app", "type", "thing", "seat"].map((word) => `${word}-${at}`) as [
    string,
    string,
    string,
    string,
  ];
  const inApp = { appId: { manifest: app } };
  const decided = (isThere: (name: string) => boolean): Json =>
    policy !== undefined && isThere(policy) ? { manifest: policy } : null;
  return [
    {
      kind: "App",
      name: app,
      needs: [],
      spec: (isThere) => ({
        displayName: app,
        ...(given.grant ? { grantPolicyId: decided(isThere) } : {}),
        ...(given.defaults
          ? { requestDefaults: { defaultsEnabled: true, requestPolicyId: decided(isThere) } }
          : {}),
        ...(given.usage ? { usageControls: { notify: true, notifyAfterDays: 30 } } : {}),
      }),
    },
    {
      kind: "ResourceType",
      name: type,
      needs: [app],
      spec: () => ({ ...inApp, displayName: type, resourceType: "CUSTOM" }),
    },
    {
      kind: "Resource",
      name: thing,
      needs: [type],
      spec: () => ({ ...inApp, appResourceTypeId: { manifest: type }, displayName: thing }),
    },
    {
      kind: "Entitlement",
      name: seat,
      needs: [thing],
      spec: (isThere) => ({
        ...inApp,
        appResourceTypeId: { manifest: type },
        appResourceId: { manifest: thing },
        displayName: seat,
        grantPolicyId: decided(isThere),
        riskLevelValueId: isThere("high") ? { manifest: "high" } : null,
        complianceFrameworkValueIds: isThere("soc") ? [{ manifest: "soc" }] : [],
      }),
    },
    {
      kind: "AppConfigurationRules",
      name: `rules-${at}`,
      needs: [app],
      keeps: policy,
      spec: (isThere) => ({
        ...inApp,
        rules: given.rules.map((number) => ({
          displayName: `Rule ${number}`,
          condition: CONDITIONS[number] ?? "",
          settings: { maxGrantDuration: "30d", requestPolicyId: decided(isThere) },
        })),
      }),
    },
  ];
}

const given: fc.Arbitrary<Given> = fc.record({
  grant: fc.boolean(),
  defaults: fc.boolean(),
  usage: fc.boolean(),
  rules: fc.uniqueArray(fc.constantFrom(0, 1, 2), { minLength: 1, maxLength: 3 }),
});

/** The members of a project in an order in which each may name those before it. */
export const companies: fc.Arbitrary<readonly Member[]> = fc
  .record({
    isPolicy: fc.array(fc.boolean(), { minLength: 2, maxLength: 4 }),
    given: fc.array(given, { minLength: 4, maxLength: 4 }),
    isRuled: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    isConflicting: fc.boolean(),
  })
  .map(({ isPolicy, given, isRuled, isConflicting }) => {
    const all: Member[] = [attribute("RiskLevel", "high"), attribute("ComplianceFramework", "soc")];
    const last = (kind: string) => all.findLast((one) => one.kind === kind)?.name;
    for (const [at, isOne] of isPolicy.entries()) {
      if (isOne)
        all.push(policyOf(`policy-${at}`, last("Entitlement"), last("Policy"), isRuled[at] === true));
      else if (given[at] !== undefined) all.push(...appsMembers(String(at), last("Policy"), given[at]));
    }
    const seats = all.filter(({ kind }) => kind === "Entitlement").map(({ name }) => name);
    if (isConflicting) all.push(conflictOf(seats));
    return all;
  });

function conflictOf(seats: readonly string[]): Member {
  const group = (side: 0 | 1, isThere: (name: string) => boolean) =>
    seats
      .filter((seat, at) => at % 2 === side && isThere(seat))
      .map((seat) => ({ appId: { manifest: appOf(seat) }, id: { manifest: seat } }));
  return {
    kind: "AccessConflict",
    name: "conflict",
    needs: [],
    spec: (isThere) => ({
      displayName: "conflict",
      negateGroupB: true,
      groupA: group(0, isThere),
      groupB: group(1, isThere),
    }),
  };
}

/** The manifests of those members that are there. */
export function manifestsOf(members: readonly Member[]): readonly Manifest[] {
  const names = new Set(members.map(({ name }) => name));
  return members.map(({ kind, name, spec }) => ({ kind, name, spec: spec((other) => names.has(other)) }));
}
