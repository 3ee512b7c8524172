import { describe, expect, it } from "vitest";
import { evaluate } from "../../src/cli/outside/evaluate.js";
import type { Counting } from "../../src/plan/counting.js";
import { readSeed } from "../../src/sandbox/seed/seed.js";
import { explain } from "../../src/session/explain.js";
import { plan as makePlan } from "../../src/session/plan.js";
import { sessionScene } from "./scene.js";

const COUNTING: Counting = {
  effort: "full",
  calls: 200,
  names: true,
  evaluate,
  today: new Date("2026-01-01"),
};

const SEED = {
  apps: [
    {
      name: "C1",
      types: [{ name: "Group", kind: "GROUP", resources: ["Tax"], entitlements: ["Member"] }],
    },
  ],
  users: [
    { email: "ana@x.test", name: "Ana", department: "Tax", jobTitle: "Analyst" },
    { email: "bo@x.test", name: "Bo", department: "Tax", jobTitle: "Director" },
    { email: "cy@x.test", name: "Cy", department: "Law", jobTitle: "Director" },
    { email: "di@x.test", name: "Di", department: "Law", jobTitle: "Analyst" },
  ],
  automations: [{ entitlement: "C1/c1-tax-member", name: "Tax", cel: 'subject.department == "Tax"' }],
  members: [{ entitlement: "C1/c1-tax-member", departments: ["Tax"] }],
};

const ADDRESS = "EntitlementAutomation/tax";

async function explained(email: string, expression = 'subject.jobTitle == "Director"', calls = 200) {
  const { tenant } = readSeed(JSON.stringify(SEED), "seed.yaml");
  const { request, session } = await sessionScene("full", { sandbox: { tenant } });
  const text = `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: tax }
spec:
  appId: { name: C1 }
  appEntitlementId: { alias: c1-tax-member }
  displayName: Tax
  cel: { expression: '${expression}' }
`;
  const { value: plan } = await makePlan(request(text), session);
  if (plan === null || session.client === null) throw new Error("no plan");
  return explain(plan, { address: ADDRESS, email }, session.client, { ...COUNTING, calls });
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
