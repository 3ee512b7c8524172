import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { managedApp } from "../../../src/kinds/managedApp.js";
import { policy } from "../../../src/kinds/policy.js";
import type { JsonObject } from "../../../src/model/json.js";
import { pendingId, withTexts } from "../../../src/model/pending.js";
import type { Planned } from "../../../src/plan/plan.js";
import { cases } from "../../fakes/cases.js";
import { absent, current, type Fact, planOf, present, wish } from "../worlds.js";

const GUARDS = ["auto-approval", "machine-approval", "self-approval"];
/** Those who may have agreed to a request, from the least to the most; the last one trips nothing. */
const AGREED = ["nobody", "a machine", "the requester", "another person"];

type Policies = Readonly<Record<string, JsonObject>>;

/** What is tripped where policies are made, which name each other by what the plan makes. */
function guardsOfNew(all: Policies) {
  const ids = new Map(Object.keys(all).map((name) => [name, pendingId({ kind: policy.name, name })]));
  return guardsOf(
    planOf({
      desired: Object.entries(all).map(([name, spec]) =>
        wish(policy, name, withTexts({ displayName: name, ...spec }, ids)),
      ),
      current: current(
        "full",
        Object.keys(all).map((name): Fact => [policy, name, absent]),
      ),
    }),
  );
}

function guardsOfChanged(before: Policies, after: Policies) {
  return guardsOf(
    planOf({
      desired: Object.entries(after).map(([id, spec]) =>
        wish(policy, id, { id, displayName: "new", ...spec }),
      ),
      current: current(
        "full",
        Object.entries(before).map(
          ([id, spec]): Fact => [policy, [id], present([id], { displayName: "old", ...spec })],
        ),
      ),
    }),
  );
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
const PEOPLE: readonly Person[] = [...DEPARTMENTS, ""].flatMap((department) =>
  [...OFFICES, ""].map((office) => [department, office]),
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
  it("to what a policy that is made lets through is what every possible run of it says", () => {
    fc.assert(
      fc.property(anyPolicies, (after) => {
        const found = guardsOfNew(after);
        for (const [id, spec] of Object.entries(after)) {
          const needed = new Set(PEOPLE.map((who) => leastFor(spec, who, after)));
          const expected = GUARDS.filter((_, least) => needed.has(least));
          expect(found.filter(([name]) => name === id).map(([, guard]) => guard)).toEqual(expected);
        }
      }),
      { numRuns: cases(30) },
    );
  });

  it("is named for each person for whom a change of a policy asks less", () => {
    let laxer = 0;
    fc.assert(
      fc.property(anyPolicies, anyPolicies, (before, after) => {
        const found = guardsOfChanged(before, after);
        for (const [id, spec] of Object.entries(after))
          for (const who of PEOPLE) {
            const least = leastFor(spec, who, after);
            if (AGREED[least] === "another person" || least >= leastFor(before[id] ?? {}, who, before))
              continue;
            laxer++;
            expect(found).toContainEqual([id, GUARDS[least]]);
          }
      }),
      { numRuns: cases(30) },
    );
    expect(laxer).toBeGreaterThan(20);
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
