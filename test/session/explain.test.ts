import { describe, expect, it } from "vitest";
import { readSeed } from "../../src/sandbox/seed/seed.js";
import { explain } from "../../src/session/explain.js";
import { plan as makePlan } from "../../src/session/plan.js";
import { COUNTING, groupRule, taxSeed, user } from "./people.js";
import { sessionScene } from "./scene.js";

const SEED = taxSeed([
  user("Ana", "Tax", "Analyst"),
  user("Bo", "Tax", "Director"),
  user("Cy", "Law", "Director"),
  user("Di", "Law", "Analyst"),
]);

const ADDRESS = "EntitlementAutomation/tax";

async function explained(email: string, expression = 'subject.jobTitle == "Director"', calls = 200) {
  const { tenant } = readSeed(JSON.stringify(SEED), "seed.yaml");
  const { request, session } = await sessionScene("full", { sandbox: { tenant } });
  const { value: plan } = await makePlan(request(groupRule(expression)), session);
  if (plan === null || session.client === null) throw new Error("no plan");
  return explain(plan, { address: ADDRESS, email }, session.client, { ...COUNTING, effort: "full", calls });
}

describe("why one person gains or loses", () => {
  it.each([
    ["ana@x.test", true, false, true, [{ outcome: "loses", isCertain: false }]],
    ["bo@x.test", true, true, true, [{ outcome: "keeps", isCertain: true }]],
    ["CY@x.test", false, true, false, [{ outcome: "gains", isCertain: true }]],
    ["di@x.test", false, false, false, []],
  ] as const)(
    "follows for %s from the rules and the membership",
    async (email, before, after, member, outcomes) => {
      const { value, diagnostics } = await explained(email);
      expect(diagnostics).toEqual([]);
      expect(value).toMatchObject({
        as: "members",
        before: { rule: 'subject.department == "Tax"', matches: before },
        after: { matches: after },
        member,
        excluded: false,
        outcomes,
      });
    },
  );

  it("is unknown, with the reason, where a rule cannot be evaluated", async () => {
    const { value } = await explained("cy@x.test", 'subject.attributes.x == "y"');
    expect(value).toMatchObject({
      after: { matches: null, why: expect.stringContaining("attributes") },
      outcomes: [{ outcome: "gains", isCertain: false }],
    });
  });

  it("is unknown as far as the budget ends before the reads", async () => {
    const { value } = await explained("ana@x.test", 'subject.jobTitle == "Director"', 2);
    expect(value).toMatchObject({ member: null, excluded: null });
  });

  it("is asked of one user that the service shows, and of a step that changes a rule", async () => {
    expect(codes(await explained("eve@x.test"))).toEqual(["impact/no-user"]);
    expect(codes(await explained("ana@x.test", 'subject.department == "Tax"'))).toEqual(["impact/no-change"]);
  });
});

function codes({ diagnostics }: Awaited<ReturnType<typeof explained>>): readonly string[] {
  return diagnostics.map(({ code }) => code);
}
