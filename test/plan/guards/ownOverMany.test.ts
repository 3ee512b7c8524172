import { expect, it } from "vitest";
import { peopleOf } from "../../../src/impact/person.js";
import { entitlementAutomation } from "../../../src/kinds/entitlementAutomation.js";
import { formatAddress } from "../../../src/model/address.js";
import { readGuards } from "../../../src/plan/guards/own/document.js";
import { answersTo } from "../../../src/plan/guards/own/findings.js";
import { NO_SETTINGS } from "../../../src/plan/guards/rules.js";
import { COUNTING } from "../../apply/people.js";
import { current, type Fact, lookOf, planOf, present, wish } from "../worlds.js";

const STEPS = Array.from({ length: 600 }, (_, number) => `id${number}`);
const PEOPLE = 8_000;

const RULE = { expression: 'subject.department == "Tax"' };
const world: Parameters<typeof planOf>[0] = {
  current: current(
    "full",
    STEPS.map(
      (id): Fact => [entitlementAutomation, ["app1", id], present(["app1", id], { displayName: id })],
    ),
  ),
  desired: STEPS.map((id) =>
    wish(entitlementAutomation, id, { appId: "app1", appEntitlementId: id, displayName: id, cel: RULE }),
  ),
};
const plan = planOf(world);
const users = Array.from({ length: PEOPLE }, (_, at) => ({ id: `user${at}`, email: `${at}@x.test` }));
const [none, everyone] = [{ people: [] }, { people: peopleOf(users) }];
const moved = { gain: everyone, lose: none, enter: none, leave: none, keep: { count: 0 } };
const moves = new Map(plan.steps.map(({ address }) => [formatAddress(address), moved]));

function answers(trips: string, steps = plan.steps) {
  const text = `apiVersion: remit/v1\nkind: Guard\nmetadata: { name: a }\nspec: { on: {}, trips: ${JSON.stringify(trips)}, message: No. }\n`;
  const { value, diagnostics } = readGuards([{ file: "a.yaml", text, named: true }]);
  expect(diagnostics).toEqual([]);
  const [document] = value;
  if (document === undefined) throw new Error("one guard is one");
  const settings = { ...NO_SETTINGS, own: { guards: [], context: "", evaluate: COUNTING.evaluate } };
  const facts = { moves, holds: () => ({ unknown: "nothing was read" }) };
  const found = answersTo(document.guard, { ...plan, steps }, facts, {
    ...lookOf(world).rules,
    settings,
  });
  return [...new Set(found.map((one) => ("why" in one ? one.why : one.is)))];
}

it("does not trip because a plan is large, where its answer about each step is soon there", () => {
  expect(answers('people.gain.exists(p, p.email.endsWith("@y.test"))')).toEqual(["passes"]);
});

it("trips by the steps of its answer about one step, whatever else is in the plan", () => {
  const pairs = "people.gain.exists(p, people.gain.exists(q, q.email == p.id))";
  const late = "the expression takes too many steps";
  expect(answers(pairs)).toEqual([late]);
  expect(answers(pairs, plan.steps.slice(0, 1))).toEqual([late]);
});
