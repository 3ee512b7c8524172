import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plan as makePlan } from "../../src/apply/preview.js";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { peopleOf } from "../../src/impact/person.js";
import { kindNamed } from "../../src/kinds/index.js";
import { NamesSeen, ValuesSeen } from "../../src/people/valuesSeen.js";
import type { PlanImpact } from "../../src/plan/people/impact.js";
import { describePlan } from "../../src/report/plan/describe.js";
import { COUNTING, groupRule, taxSeed, user } from "../apply/people.js";
import { type SessionScene, sessionScene } from "../apply/sessionScene.js";

const USERS = [
  ...Array.from({ length: 3 }, (_, at) => user(`e${at}`, "Engineering", "Engineer")),
  ...Array.from({ length: 3 }, (_, at) => user(`l${at}`, "Law", "Lawyer")),
  user("only", "Skunkworks", "Inventor"),
];

async function scene(users: readonly object[] = USERS, more: object = {}): Promise<SessionScene> {
  const seed = { ...taxSeed(users), automations: [], members: [], ...more };
  return sessionScene("full", { sandbox: { tenant: readSeed(JSON.stringify(seed), "seed.yaml").tenant } });
}

async function planned(text: string, at: SessionScene) {
  const { value } = await makePlan(at.request(text, { counting: { ...COUNTING, names: false } }), at.session);
  if (value === null) throw new Error("there is no plan");
  return value;
}

/** What a plan says of the rules that match no one. */
async function withoutPeople(expression: string, at?: SessionScene): Promise<PlanImpact["withoutPeople"]> {
  const { impact } = await planned(groupRule(expression.replaceAll("'", "''")), at ?? (await scene()));
  return impact?.withoutPeople ?? [];
}

describe("a new rule that matches no one", () => {
  it.each([
    ['subject.department == "Enginering"', "department", "Enginering", ["Engineering"]],
    ['subject.department == "engineering"', "department", "engineering", ["Engineering"]],
    ['"Layer" == subject.job_title && subject.department == "Law"', "job_title", "Layer", ["Lawyer"]],
    ['subject.department in ["Lwa", "Law"] && subject.jobTitle == "Engineer"', "department", "Lwa", ["Law"]],
    ['subject.department.lowerAscii() == "enginering"', "department", "enginering", ["Engineering"]],
    ['subject.department == "Sales"', "department", "Sales", ["Law", "Engineering"]],
    // One person alone has it.
    ['subject.department == "Skunkwork"', "department", "Skunkwork", ["Law", "Engineering"]],
  ])(
    "has the nearest values that several users have beside it: %s",
    async (rule, attribute, value, nearest) => {
      expect(await withoutPeople(rule)).toMatchObject([
        { address: { name: "tax" }, unmet: [{ attribute, value, nearest }] },
      ]);
    },
  );

  it.each([
    'subject.department == "Engineering"',
    'subject.department != "Enginering"',
    'subject.department == "Skunkworks"',
    '!(subject.department in ["Enginering"])',
  ])("does not include a rule that matches someone: %s", async (rule) => {
    expect(await withoutPeople(rule)).toEqual([]);
  });

  it.each([
    'subject.department == "Law" && subject.jobTitle == "Engineer"',
    "false",
    'subject.email == "e0@x.tst"',
    'subject.displayName == "e9"',
  ])("has no nearest value where each value is there, or would say who someone is: %s", async (rule) => {
    expect(await withoutPeople(rule)).toMatchObject([{ unmet: [] }]);
  });

  it("finds the nearest among all users, also where another rule asked only for some", async () => {
    const both = `${groupRule('subject.department == "Law"')}---\n${groupRule('subject.department == "Enginering"', "law")}`;
    const { impact } = await planned(both, await scene());
    expect(impact?.users.where).toEqual({ department: ["Enginering", "Law"] });
    expect(impact?.withoutPeople).toMatchObject([
      { address: { name: "law" }, unmet: [{ value: "Enginering", nearest: ["Engineering"] }] },
    ]);
  });

  it("leaves a rule that held for someone before to a guard", async () => {
    const more = {
      automations: [{ entitlement: "C1/c1-tax-member", name: "Tax", cel: 'subject.department == "Law"' }],
    };
    const { impact, findings } = await planned(
      groupRule('subject.department == "Lwa"'),
      await scene(USERS, more),
    );
    expect([impact?.withoutPeople, findings.map(({ guard }) => guard)]).toEqual([[], ["nobody"]]);
  });

  it("is one warning, however many there are", async () => {
    const groups = Array.from({ length: 12 }, (_, at) => `G${at}`);
    const apps = [
      { name: "C1", types: [{ name: "Group", kind: "GROUP", resources: groups, entitlements: ["Member"] }] },
    ];
    const rules = groups.map((name) => groupRule('subject.department == "Enginering"', name.toLowerCase()));
    const plan = await planned(rules.join("---\n"), await scene(USERS, { apps }));
    const told = describePlan(plan, "", kindNamed).statements;
    expect(told.filter(({ code }) => code === "people/no-match")).toMatchObject([
      { text: "12 rules match no one", count: 12, objects: groups.map(() => ({ place: null })) },
    ]);
  });
});

describe("a value that is nearest", () => {
  const WORD = fc.constantFrom(
    "Ada",
    "Ada Lovelace",
    "ada@x.test",
    "u-1",
    "Berlin",
    "Team Ada Lovelace",
    "it",
  );

  it("is never the name, an address or the id of a person, nor of one person alone", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            displayName: WORD,
            email: WORD,
            username: WORD,
            id: WORD,
            site: WORD,
            department: WORD,
          }),
          { maxLength: 12 },
        ),
        WORD,
        fc.constantFrom("department", "profile.site", "profile.managerName", "profile.mail"),
        (rows, value, attribute) => {
          const people = peopleOf(
            rows.map(({ site, ...row }) => ({ ...row, profile: { site, managerName: site, mail: site } })),
          );
          const seen = new ValuesSeen([attribute]);
          seen.add(people);
          const names = new NamesSeen();
          names.add(people);
          for (const near of seen.nearestTo(attribute, value, names)) {
            const low = near.toLowerCase();
            const identities = rows.flatMap((row) => [row.displayName, row.email, row.username, row.id]);
            expect(identities.map((one) => one.toLowerCase())).not.toContain(low);
            expect(low).not.toContain("@");
            expect(attribute).toMatch(/department|site/);
            const having = rows.filter(
              (row) => (attribute === "department" ? row.department : row.site) === near,
            );
            expect(having.length).toBeGreaterThan(1);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
