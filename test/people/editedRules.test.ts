import { expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { COUNTING, groupRule, taxSeed, user } from "../apply/people.js";
import { sessionScene } from "../apply/sessionScene.js";

const SEED = taxSeed([
  user("Ana", "Tax", "Analyst"),
  user("Bo", "Tax", "Director"),
  user("Cy", "Law", "Director"),
]);
const RULE = 'subject.department == "Tax"';
const PEOPLE = ["SearchUsers", "ListGrantsOfEntitlement", "ListExclusions"];

/** What the service was asked by a plan of a text, after an apply of another, in order. */
async function asked(applied: string | null, text: string) {
  const { request, session, order, sandbox } = await sessionScene("full", {
    sandbox: { tenant: readSeed(JSON.stringify(SEED), "seed.yaml").tenant },
  });
  if (applied !== null) await apply(order(request(applied)), session);
  const before = sandbox.log.count();
  const { value } = await plan(request(text, { counting: COUNTING }), session);
  const entries = sandbox.log.entries().slice(before);
  const operations = entries.map(({ operation }) => String(operation));
  const own = operations.lastIndexOf("ListEntitlements");
  return { impact: value?.impact ?? null, operations, early: operations.slice(0, own) };
}

it("of a rule that was edited since the last apply, the people are read beside the plan itself", async () => {
  const edited = groupRule(`${RULE} && subject.jobTitle == "Director"`);
  const known = await asked(groupRule(RULE), edited);
  expect(known.early).toEqual(expect.arrayContaining(PEOPLE));
  const unknown = await asked(null, edited);
  expect(unknown.early).not.toEqual(expect.arrayContaining(PEOPLE));
  expect(known.impact).toEqual(unknown.impact);
});

it.each<[string, string]>([
  ["stays as it is", groupRule(RULE)],
  ["keeps its expression", groupRule(RULE).replace("displayName: Tax", "displayName: Taxes")],
])("of a rule that %s, nothing is read about people", async (_, text) => {
  const { operations } = await asked(groupRule(RULE), text);
  expect(operations.filter((operation) => PEOPLE.includes(operation))).toEqual([]);
});
