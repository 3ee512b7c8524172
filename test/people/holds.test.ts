import { expect, it } from "vitest";
import { peopleOf } from "../../src/impact/person.js";
import type { Resource } from "../../src/manifest/resource.js";
import { holdsBy, namedRules } from "../../src/people/holds.js";
import type { Plan } from "../../src/plan/plan.js";

const APP = "0".repeat(27);
const LAW = `${"0".repeat(26)}1`;
const [ana, ben] = peopleOf([
  { id: "ana", department: "Law" },
  { id: "ben", department: "Tax" },
]);

/** Who holds the entitlement `law` of the app C1, whose rule is for the department. */
function asked({
  hasRule = true,
  grants = null as readonly string[] | null,
  step = { action: "update", key: [APP, LAW] } as { action: string; key: readonly string[] | null } | null,
}) {
  const address = { kind: "EntitlementAutomation", name: "law" };
  const spec = {
    appId: { name: "C1" },
    appEntitlementId: { alias: "law" },
    cel: { expression: 'subject.department == "Law"' },
  };
  const resources = hasRule ? [{ address, spec } as unknown as Resource] : [];
  const steps = (step === null ? [] : [{ address, ...step }]) as unknown as Plan["steps"];
  const rules = namedRules({ resources, apps: { C1: APP } }, { steps });
  const members =
    grants === null ? new Map() : new Map([[`${APP}/${LAW}`, new Map(grants.map((id) => [id, true]))]]);
  const holds = holdsBy(rules, { members, accounts: new Map(), groups: new Map() }, new Date("2026-01-01"));
  if (ana === undefined || ben === undefined) throw new Error("two people are two");
  const name = hasRule ? (["C1", "law"] as const) : ([APP, LAW] as const);
  return { ana: holds(ana, ...name), ben: holds(ben, ...name) };
}

const [RULES, GRANTS] = ["the rules of the project", "the grants of the tenant"];
const NOT_READ = "its grants were not read";

it("is true by a rule, whatever was read", () => {
  expect(asked({}).ana).toEqual({ is: true, from: [RULES] });
  expect(asked({ grants: [] }).ana).toEqual({ is: true, from: [RULES] });
});

it("is true by a grant that no rule gives", () => {
  expect(asked({ grants: ["ben"] }).ben).toEqual({ is: true, from: [GRANTS] });
  expect(asked({ hasRule: false, grants: ["ben"] }).ben).toEqual({ is: true, from: [GRANTS] });
});

it("is false where neither a rule nor a grant that was read gives it", () => {
  expect(asked({ grants: ["ana"] }).ben).toEqual({ is: false, from: [RULES, GRANTS] });
  expect(asked({ hasRule: false, grants: [] }).ben).toEqual({ is: false, from: [GRANTS] });
});

it("is unknown where no rule gives it and its grants were not read", () => {
  const unknown = { unknown: expect.stringContaining(NOT_READ) };
  expect(asked({}).ben).toEqual(unknown);
  expect(asked({ hasRule: false })).toEqual({ ana: unknown, ben: unknown });
  // A rule that this run does not plan is about an entitlement that exists.
  expect(asked({ step: null })).toEqual({ ana: { is: true, from: [RULES] }, ben: unknown });
});

it("is false by the rules alone where the plan creates the entitlement: no one has been granted it", () => {
  expect(asked({ step: { action: "create", key: null } }).ben).toEqual({ is: false, from: [RULES] });
  expect(asked({ step: { action: "blocked", key: null } }).ben).toHaveProperty("unknown");
});
