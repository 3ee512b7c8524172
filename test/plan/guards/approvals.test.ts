import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configurationRules } from "../../../src/kinds/configurationRules.js";
import { managedApp } from "../../../src/kinds/managedApp.js";
import { policy } from "../../../src/kinds/policy.js";
import { type JsonObject, same } from "../../../src/model/json.js";
import { pendingId, withTexts } from "../../../src/model/pending.js";
import type { Planned } from "../../../src/plan/plan.js";
import type { Current } from "../../../src/tenant/known.js";
import { cases } from "../../fakes/cases.js";
import { absent, current, type Fact, planOf, present, wish } from "../worlds.js";

const GUARDS = ["auto-approval", "machine-approval", "self-approval"];
/** Those who may have agreed to a request, from the least to the most; the last one trips nothing. */
const AGREED = ["nobody", "a machine", "the requester", "another person"];

type Policies = Readonly<Record<string, JsonObject>>;

/** Policies of the tenant that a plan does not write, as a list of them shows them. */
function standing(all: Policies): Current["policies"] {
  return new Map(
    Object.entries(all).map(([id, { policyType = null, ...fields }]) => [
      id,
      { key: [id], fields, madeWith: { policyType } },
    ]),
  );
}

const only = (all: Policies, isKept: (id: string) => boolean): Policies =>
  Object.fromEntries(Object.entries(all).filter(([id]) => isKept(id)));

/** An app for each policy, which names it from now on. */
const APPS: Readonly<Record<string, string>> = { a1: "p1", a2: "p2", a3: "p3" };

/** What is tripped where policies are made that name those that stand, and apps name all of them. */
function guardsOfNew(all: Policies, isStanding: (id: string) => boolean) {
  const made = only(all, (id) => !isStanding(id));
  const ids = new Map(Object.keys(made).map((name) => [name, pendingId({ kind: policy.name, name })]));
  const named = (spec: JsonObject) => withTexts(spec, ids);
  return guardsOf(
    planOf({
      desired: [
        ...Object.entries(made).map(([name, spec]) =>
          wish(policy, name, named({ displayName: name, ...spec })),
        ),
        ...Object.entries(APPS).map(([name, grantPolicyId]) =>
          wish(managedApp, name, named({ displayName: name, grantPolicyId })),
        ),
      ],
      current: {
        ...current("full", [
          ...Object.keys(made).map((name): Fact => [policy, name, absent]),
          ...Object.keys(APPS).map((name): Fact => [managedApp, name, absent]),
        ]),
        policies: standing(only(all, isStanding)),
      },
    }),
  );
}

/** What is tripped where policies change, and apps name the next one. */
function guardsOfChanged(before: Policies, after: Policies) {
  const isChanged = (id: string) => after[id] !== before[id];
  const app = (displayName: string, grantPolicyId: string) => ({ displayName, grantPolicyId });
  return guardsOf(
    planOf({
      desired: [
        ...Object.entries(only(after, isChanged)).map(([id, spec]) =>
          wish(policy, id, { id, displayName: "new", ...spec }),
        ),
        ...Object.entries(APPS).map(([id, named]) => wish(managedApp, id, { id, ...app("", next(named)) })),
      ],
      current: {
        ...current("full", [
          ...Object.entries(only(before, isChanged)).map(
            ([id, spec]): Fact => [policy, [id], present([id], { displayName: "old", ...spec })],
          ),
          ...Object.entries(APPS).map(
            ([id, named]): Fact => [managedApp, [id], present([id], app("", named))],
          ),
        ]),
        policies: standing(before),
      },
    }),
  );
}

function next(id: string): string {
  return IDS[(IDS.indexOf(id) + 1) % IDS.length] ?? "";
}

function guardsOf({ findings }: Planned): readonly (readonly [string, string])[] {
  return findings
    .filter(({ guard }) => GUARDS.includes(guard))
    .map(({ guard, address }) => [address?.name ?? "", guard] as const);
}

// The brute force: every request of every person is played, with every answer that may come.

/** What a person is like: the conditions that hold for them. */
type Person = readonly string[];

const DEPARTMENTS = ['subject.department == "Tax"', 'subject.department == "Law"'];
const OFFICES = ['subject.office == "Rome"', 'subject.office == "Oslo"'];
/** Said of a person who asks where app owners and expressions name no one. */
const NO_OWNERS = "no owners";
const PEOPLE: readonly Person[] = [...DEPARTMENTS, ""].flatMap((department) =>
  [...OFFICES, ""].flatMap((office) => ["", NO_OWNERS].map((owners) => [department, office, owners])),
);

function list(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}
function object(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** For each way a request of someone can be granted: those who agreed. */
function granted(spec: JsonObject, who: Person, all: Policies): readonly (readonly number[])[] {
  const rule = list(spec.rules).find(
    ({ condition }) => condition === "true" || who.includes(String(condition)),
  );
  const other = rule === undefined ? spec.baselinePolicyId : rule.policyId;
  if (typeof other === "string") return granted(all[other] ?? {}, who, all);
  const key = rule === undefined ? "grant" : String(rule.stepKey);
  return played(list(object(object(spec.policySteps)?.[key])?.steps), who, all);
}

function played(steps: readonly JsonObject[], who: Person, all: Policies): readonly (readonly number[])[] {
  const [step, ...rest] = steps;
  if (step === undefined || step.accept) return [[]];
  if (step.reject) return [];
  const on = (agreed: readonly number[]) => played(rest, who, all).map((later) => [...agreed, ...later]);
  const approval = object(step.approval);
  if (approval === null) return on([]);
  const isByOwners = approval.appOwners || approval.expression;
  if (isByOwners && !object(approval.expression)?.fallback && who.includes(NO_OWNERS)) return on([]);
  const runs = [];
  if (approval.webhook) runs.push([1]);
  else if (approval.self) runs.push(...on([2]));
  else {
    runs.push(...on([3]));
    if (object(approval.manager)?.allowSelfApproval) runs.push(...on([2]));
  }
  const escalation = object(approval.escalation);
  if (escalation?.skipStep) runs.push(...on([]));
  const other = object(escalation?.replacePolicy)?.policyId;
  if (typeof other === "string") runs.push(...granted(all[other] ?? {}, who, all));
  return runs;
}

/** The least that a person needs; 4 where nothing is ever granted. */
function leastFor(spec: JsonObject, who: Person, all: Policies): number {
  return Math.min(4, ...granted(spec, who, all).map((agreed) => Math.max(0, ...agreed)));
}

// Policies name those that come after them, so that none is a ring. No condition of one rules out one of another.
const CONDITIONS: Readonly<Record<string, readonly string[]>> = {
  p1: [...DEPARTMENTS, "true"],
  p2: [...OFFICES, "true"],
  p3: [],
};
const IDS = Object.keys(CONDITIONS);

const anyStep = (others: readonly string[]): fc.Arbitrary<JsonObject> => {
  const escalations: readonly JsonObject[] = [
    { skipStep: {} },
    { cancelTicket: {} },
    ...others.map((policyId) => ({ replacePolicy: { policyId } })),
  ];
  const arms: readonly JsonObject[] = [
    { manager: {} },
    { manager: { allowSelfApproval: true } },
    { self: {} },
    { appOwners: {} },
    { expression: { expressions: ["appOwners"] } },
    { expression: { expressions: ["appOwners"], fallback: true, fallbackUserIds: ["u"] } },
    { webhook: { webhookId: "w" } },
  ];
  const approval = fc
    .tuple(fc.constantFrom(...arms), fc.option(fc.constantFrom(...escalations), { freq: 3 }))
    .map(([arm, escalation]) => ({
      approval: escalation === null ? arm : { ...arm, escalationEnabled: true, escalation },
    }));
  const wait = { wait: { duration: { duration: "3600s" } } };
  const ends: readonly JsonObject[] = [{ accept: {} }, { reject: {} }, wait];
  return fc.oneof({ weight: 3, arbitrary: approval }, { weight: 1, arbitrary: fc.constantFrom(...ends) });
};

function anyPolicy(id: string): fc.Arbitrary<JsonObject> {
  const others = IDS.slice(IDS.indexOf(id) + 1);
  // What takes the place of a policy has one way through it.
  const step = anyStep(others.filter((other) => CONDITIONS[other]?.length === 0));
  const steps = fc.array(step, { minLength: 1, maxLength: 3 }).map((all) => ({ steps: all }));
  const outcome = fc.constantFrom(
    ...["tax", "law"].map((stepKey) => ({ stepKey })),
    ...others.map((policyId) => ({ policyId })),
  );
  const outcomes = fc.array(outcome, { minLength: 3, maxLength: 3 });
  const conditions = fc.subarray([...(CONDITIONS[id] ?? [])]);
  return fc
    .record({ conditions, outcomes, grant: steps, tax: steps, law: steps })
    .map(({ conditions: asked, outcomes: to, ...policySteps }) => ({
      policyType: "POLICY_TYPE_GRANT",
      policySteps,
      rules: asked.map((condition, place) => ({ condition, ...to[place] })),
    }));
}

const anyPolicies: fc.Arbitrary<Policies> = fc
  .tuple(...IDS.map(anyPolicy))
  .map((specs) => Object.fromEntries(IDS.map((id, place) => [id, specs[place] ?? {}])));

describe("who has to agree", () => {
  it("to what a policy lets through that is made, or stands and is named, is what every run of it says", () => {
    fc.assert(
      fc.property(anyPolicies, fc.integer({ min: 0, max: IDS.length }), (all, made) => {
        // What stands names nothing that the plan makes.
        const isStanding = (id: string) => IDS.indexOf(id) >= made;
        const found = guardsOfNew(all, isStanding);
        for (const [app, id] of Object.entries(APPS)) {
          const needed = new Set(PEOPLE.map((who) => leastFor(all[id] ?? {}, who, all)));
          const expected = GUARDS.filter((_, least) => needed.has(least));
          const of = (address: string) =>
            found.filter(([name]) => name === address).map(([, guard]) => guard);
          expect([of(id), of(app)]).toEqual(isStanding(id) ? [[], expected] : [expected, []]);
        }
      }),
      { numRuns: cases(30) },
    );
  });

  it("is named for each person for whom a change of a policy, or of who names it, asks less", () => {
    let [laxer, renamed] = [0, 0];
    fc.assert(
      fc.property(anyPolicies, anyPolicies, fc.subarray(IDS), (before, changes, changed) => {
        const after = { ...before, ...only(changes, (id) => changed.includes(id)) };
        const found = guardsOfChanged(before, after);
        const isLess = (was: string, is: string, who: Person) => {
          const least = leastFor(after[is] ?? {}, who, after);
          const isNamed =
            AGREED[least] !== "another person" && least < leastFor(before[was] ?? {}, who, before);
          return isNamed ? GUARDS[least] : undefined;
        };
        for (const who of PEOPLE) {
          for (const id of changed) {
            const guard = isLess(id, id, who);
            if (guard === undefined) continue;
            laxer++;
            expect(found).toContainEqual([id, guard]);
          }
          for (const [app, id] of Object.entries(APPS)) {
            const guard = isLess(id, next(id), who);
            if (guard === undefined) continue;
            renamed++;
            // The step of a policy says it of everyone whom the policy decides for.
            const isSaid =
              changed.includes(next(id)) && found.some((one) => same([...one], [next(id), guard]));
            expect(found).toContainEqual([isSaid ? next(id) : app, guard]);
          }
        }
      }),
      { numRuns: cases(30) },
    );
    expect(Math.min(laxer, renamed)).toBeGreaterThan(20);
  });

  it("is asked of a step with an agent that only comments as if no one may answer", () => {
    const agent = {
      agentMode: "APPROVAL_AGENT_MODE_COMMENT_ONLY",
      agentFailureAction: "APPROVAL_AGENT_FAILURE_ACTION_REASSIGN_TO_SUPER_ADMINS",
    };
    const of = (...more: readonly JsonObject[]) => {
      const policySteps = { grant: { steps: [{ approval: { agent } }, ...more] } };
      const made = { displayName: "made", policyType: "POLICY_TYPE_GRANT", policySteps };
      return planOf({
        desired: [wish(policy, "made", made)],
        current: current("full", [[policy, "made", absent]]),
      }).findings.map(({ guard, message }) => `${guard}: ${message}`);
    };
    expect(of()).toEqual([
      "auto-approval: where app owners, an expression or a commenting agent ask no one, no person would have to agree: for all others",
    ]);
    expect(of({ approval: { manager: {} } })).toEqual([]);
  });

  it("is asked of the rules of an app in their order", () => {
    const steps = (step: JsonObject) => ({ policySteps: { grant: { steps: [step] } } });
    const type = { policyType: "POLICY_TYPE_GRANT" };
    const policies = {
      open: { ...type, ...steps({ accept: {} }) },
      strict: { ...type, ...steps({ approval: { manager: {} } }) },
    };
    const rule = (condition: string, requestPolicyId: string) => ({
      ...{ displayName: requestPolicyId, condition, settings: { requestPolicyId } },
    });
    const [tax, all] = [rule('entitlement.slug == "tax"', "open"), rule("true", "strict")];
    const of = (before: readonly JsonObject[], after: readonly JsonObject[]) => {
      const fields = { rules: [...before], ruleIds: before.map((_, at) => `r${at}`) };
      const facts: readonly Fact[] = [[configurationRules, ["a"], present(["a"], fields)]];
      return planOf({
        desired: [wish(configurationRules, "rules", { appId: "a", rules: [...after] })],
        current: { ...current("full", facts), policies: standing(policies) },
      }).findings.map(({ guard, message }) => `${guard}: ${message}`);
    };
    expect(of([all, tax], [tax, all])).toEqual([
      'auto-approval: no person would have to agree on 1 of 2 ways: by requestPolicyId where entitlement.slug == "tax"',
    ]);
    expect(of([tax, all], [all, tax])).toEqual([]);
    expect(of([tax], [tax, all])).toEqual([]);
  });

  it("is another question where an object no longer names a policy", () => {
    const of = (before: JsonObject, after: JsonObject) =>
      planOf({
        desired: [wish(managedApp, "github", { id: "a", displayName: "GitHub", ...after })],
        current: current("full", [[managedApp, ["a"], present(["a"], { displayName: "GitHub", ...before })]]),
      }).findings.map(({ guard, message }) => `${guard}: ${message}`);
    expect(of({ grantPolicyId: "p" }, { grantPolicyId: "" })).toEqual([
      "falls-to-default: grantPolicyId would no longer name a policy, so that the default decides",
    ]);
    expect(of({ grantPolicyId: "p" }, { grantPolicyId: "other" })).toEqual([]);
    expect(of({ grantPolicyId: "" }, { grantPolicyId: "p" })).toEqual([]);
  });
});
