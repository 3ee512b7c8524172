import { describe, expect, it } from "vitest";
import { plan as makePlan } from "../../src/apply/preview.js";
import { apply } from "../../src/apply/run.js";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import type { Acknowledgement } from "../../src/plan/guards/acknowledge.js";
import { NO_SETTINGS } from "../../src/plan/guards/rules.js";
import { DEFAULT_LIMITS, type Limits } from "../../src/plan/guards/settings.js";
import type { Counting } from "../../src/plan/people/impact.js";
import type { Planned } from "../../src/plan/plan.js";
import { hashesOf } from "../../src/plan/saved/effect.js";
import { keepSteps } from "../../src/plan/saved/keepSteps.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import { sealOf } from "../../src/plan/saved/spelling.js";
import { describePeople } from "../../src/report/plan/people.js";
import { checkedClient, refusal } from "../fakes/checkedClient.js";
import { planFile } from "../plan/saved/planFile.js";
import { COUNTING, groupRule, taxSeed, user } from "./people.js";
import { type SessionScene, sessionScene } from "./sessionScene.js";

const DIRECTORS = 'subject.jobTitle == "Director"';

function seed(analysts: number) {
  const tax = Array.from({ length: analysts }, (_, number) => user(`tax${number}`, "Tax", "Analyst"));
  const of = taxSeed([...tax, user("bo", "Tax", "Director"), user("cy", "Law", "Director")]);
  const law = { entitlement: "C1/c1-law-member" };
  return {
    ...of,
    automations: [...of.automations, { ...law, name: "Law", cel: 'subject.department == "Tax"' }],
    members: [...of.members, { ...law, departments: ["Tax"] }],
  };
}

function scene(analysts: number, more: object = {}): Promise<SessionScene> {
  const { tenant } = readSeed(JSON.stringify({ ...seed(analysts), ...more }), "seed.yaml");
  return sessionScene("full", { sandbox: { tenant } });
}

const BOTH = `${groupRule(DIRECTORS)}---\n${groupRule(DIRECTORS, "law")}`;

interface Asked {
  readonly limits?: Partial<Limits>;
  readonly counting?: Partial<Counting> | null;
  readonly acknowledgements?: readonly Acknowledgement[];
}

function asked(at: SessionScene, text: string, { limits = {}, counting = {}, acknowledgements = [] }: Asked) {
  return at.request(text, {
    limits: { ...DEFAULT_LIMITS, changesFloor: 0, maxChangesPercent: 100, ...limits },
    counting: counting === null ? null : { ...COUNTING, names: false, ...counting },
    acknowledgements,
  });
}

async function planned(at: SessionScene, text: string, how: Asked = {}): Promise<Planned> {
  const { value, diagnostics } = await makePlan(asked(at, text, how), at.session);
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  return value;
}

function guardsOf({ findings }: Planned): readonly string[] {
  return findings.map(({ guard }) => guard);
}

describe("a limit in people", () => {
  it("trips where more people may lose or gain access than it says, and not at it", async () => {
    const at = await scene(3);
    const text = groupRule(DIRECTORS);
    expect(guardsOf(await planned(at, text))).toEqual([]);
    expect(guardsOf(await planned(at, text, { limits: { maxLosing: 3, maxGaining: 1 } }))).toEqual([]);
    const { findings } = await planned(at, text, { limits: { maxLosing: 2, maxGaining: 0 } });
    expect(findings.map(({ message }) => message)).toEqual([
      "up to 3 people would lose access; the limit is 2",
      "up to 1 person would gain access; the limit is 0",
    ]);
  });

  it("counts a person once, however many steps take access", async () => {
    const at = await scene(3);
    expect(guardsOf(await planned(at, BOTH, { limits: { maxLosing: 3 } }))).toEqual([]);
    expect(guardsOf(await planned(at, BOTH, { limits: { maxLosing: 2 } }))).toEqual(["max-losing"]);
  });

  it("does not trip for as few people as the floor", async () => {
    const at = await scene(3);
    const limits = { maxLosing: 0, changesFloor: 3 };
    expect(guardsOf(await planned(at, groupRule(DIRECTORS), { limits }))).toEqual([]);
  });

  it("trips once per plan where no upper bound is known", async () => {
    const at = await scene(3);
    const limits = { maxLosing: 100 };
    const { findings } = await planned(at, BOTH, { limits, counting: null });
    expect(findings).toMatchObject([
      {
        guard: "impact-unknown",
        address: null,
        message: expect.stringContaining("2 steps: `--impact off` counts no one"),
      },
    ]);
    expect(guardsOf(await planned(at, BOTH, { counting: null }))).toEqual([]);
  });

  it("takes no one's access by a new rule, counted or not", async () => {
    const at = await scene(3, { automations: [] });
    const how = { limits: { maxLosing: 0 }, counting: null };
    expect(guardsOf(await planned(at, groupRule(DIRECTORS), how))).toEqual([]);
  });

  it("blocks a new rule whose people a refused read hides: for how many it would hold is not known", async () => {
    const at = await scene(3, { automations: [] });
    const client =
      at.session.client === null
        ? null
        : checkedClient(at.session.client, (call) => {
            if (call.path.includes("users")) throw refusal(call, 403);
          });
    const cut = { ...at, session: { ...at.session, client } };
    const everyone = groupRule('subject.jobTitle != "Clerk"');
    const of = async (one: SessionScene, limits: Partial<Limits>) =>
      guardsOf(await planned(one, everyone, { limits }));
    expect(await of(at, { maxLosing: 9 })).toEqual(["everyone"]);
    expect(await of(cut, { maxLosing: 9 })).toEqual(["impact-unknown"]);
    // Without a limit in people, a refused read changes no exit code.
    expect(await of(cut, {})).toEqual([]);
  });

  it("is answered like any guard", async () => {
    const at = await scene(3);
    const acknowledgements = [{ by: "flag", guard: "max-losing", address: null }] as const;
    const { findings } = await planned(at, groupRule(DIRECTORS), {
      limits: { maxLosing: 1 },
      acknowledgements,
    });
    expect(findings).toMatchObject([{ guard: "max-losing", acknowledged: { by: "flag" } }]);
  });

  it("that only the working tree raises stays open, and the plan names the setting", async () => {
    const at = await scene(3);
    const request = asked(at, groupRule(DIRECTORS), { limits: { maxLosing: 1 } });
    const { rules } = request;
    const proposal = { limits: { ...rules.limits, maxLosing: 9 }, acknowledgements: [], own: [] };
    const settings = { ...NO_SETTINGS, proposal };
    const { value } = await makePlan({ ...request, rules: { ...rules, settings } }, at.session);
    expect(value?.findings).toMatchObject([
      { guard: "max-losing", acknowledged: null, proposed: [{ setting: "guards.maxLosing", place: null }] },
    ]);
  });

  it("is derived again from a saved plan", async () => {
    const at = await scene(3);
    const made = await planned(at, groupRule(DIRECTORS), { limits: { maxLosing: 2 } });
    const { value, diagnostics } = readSavedPlan(planFile({ ...made, findings: [] } as never));
    expect(diagnostics).toEqual([]);
    expect(value?.plan.findings).toEqual(made.findings);
    expect(value?.seal).toBe(sealOf(made));
  });
});

describe("a conflict", () => {
  const inC1 = (name: string) => `{ appId: { name: C1 }, id: { name: ${name} Member } }`;
  const conflict = (a: string, b: string, isNegated = false) => `apiVersion: remit/v1
kind: AccessConflict
metadata: { name: apart }
spec:
  displayName: Apart
  negateGroupB: ${isNegated}
  groupA: [${inC1(a)}]
  groupB: [${inC1(b)}]
`;
  const withConflict = (rule: string, one: string) => `${groupRule(rule, "law")}---\n${one}`;
  const open = () => {
    const people = [
      user("ana", "Tax", "Analyst"),
      user("bo", "Tax", "Director"),
      user("cy", "Law", "Director"),
    ];
    return sessionScene("full", {
      sandbox: { tenant: readSeed(JSON.stringify(taxSeed(people)), "seed.yaml").tenant },
    });
  };
  const known = "as far as its groups are known";

  it.each([
    [
      "both sides",
      conflict("Tax", "Law"),
      DIRECTORS,
      [`1 person would newly hold both sides of it, ${known}`],
    ],
    [
      "one side without the other",
      conflict("Law", "Tax", true),
      DIRECTORS,
      [`1 person would newly hold its group A without its group B, ${known}`],
    ],
    ["one side alone", conflict("Tax", "Law"), 'subject.department == "Law"', []],
    ["nothing that it is about", conflict("Tax", "Tax"), DIRECTORS, []],
  ])("trips where someone newly holds %s", async (_, one, rule, messages) => {
    const { findings } = await planned(await open(), withConflict(rule, one));
    expect(findings.map(({ message }) => message)).toEqual(messages);
  });

  it("is silent about people who were not counted, and asks about them where that is set", async () => {
    const at = await open();
    const text = withConflict(DIRECTORS, conflict("Tax", "Law"));
    const made = await planned(at, text, { counting: null });
    expect(guardsOf(made)).toEqual([]);
    expect(made.impact?.conflicts).toMatchObject([
      { newly: { low: 0, high: null }, unread: [{ name: null }, { name: null }] },
    ]);
    const strict = { counting: null, limits: { conflict: "strict" } } as const;
    expect(guardsOf(await planned(at, text, strict))).toEqual(["conflict"]);
  });

  it("is counted again where a saved plan is applied, with those who joined a group since", async () => {
    const at = await open();
    const text = withConflict('subject.department == "Law"', conflict("Tax", "Law"));
    const made = await planned(at, text);
    expect(guardsOf(made)).toEqual([]);
    const saved = { plan: made, ...hashesOf(made) };
    const { users } = at.sandbox.store;
    const bo = users.of("").find(({ email }) => email === "bo@x.test");
    users.put("", bo?.id ?? "", { ...bo, id: bo?.id ?? "", department: "Law" });
    const refused = await apply(at.order(asked(at, text, {}), { plan: saved }), at.session);
    expect(refused.diagnostics.map(({ code }) => code)).toEqual(["guard/conflict"]);
    expect(at.writes()).toBe(0);
    const acknowledgements = [{ by: "flag", guard: "conflict", address: null }] as const;
    const answered = asked(at, text, { acknowledgements });
    expect((await apply(at.order(answered, { plan: saved }), at.session)).as).toBe("applied");
  });

  it("is not asked about again once the steps that move people in it are done", async () => {
    const text = withConflict(DIRECTORS, conflict("Tax", "Law"));
    const made = await planned(await open(), text, { counting: null });
    const kept = (kind: string) => keepSteps(made, ({ address }) => address.kind === kind).impact?.conflicts;
    expect(kept("EntitlementAutomation")).toHaveLength(1);
    expect(kept("AccessConflict")).toEqual([]);
  });

  it("does not trip for those who are in it already", async () => {
    const people = [user("ana", "Tax", "Analyst"), user("bo", "Tax", "Director")];
    const seed = taxSeed(people);
    const members = [...seed.members, { entitlement: "C1/c1-law-member", users: ["bo@x.test"] }];
    const { tenant } = readSeed(JSON.stringify({ ...seed, members }), "seed.yaml");
    const at = await sessionScene("full", { sandbox: { tenant } });
    expect(guardsOf(await planned(at, withConflict(DIRECTORS, conflict("Tax", "Law"))))).toEqual([]);
  });
});

describe("a rule that holds for no one, by count", () => {
  it.each([
    ['subject.jobTitle == "Ghost"', "it would hold for no one; it holds for 3 people now"],
    [
      "!has(subject.employmentType)",
      "it would probably hold for no one (not documented: whether has() finds a field without a value); it holds for 3 people now",
    ],
  ])("is called certain only where it is: %s", async (expression, message) => {
    const { findings } = await planned(await scene(2), groupRule(expression));
    expect(findings.filter(({ guard }) => guard === "nobody").map((one) => one.message)).toEqual([message]);
  });

  it.each([
    [0, "1", "who does not have it"],
    [27, "28", "none of whom has it"],
  ])(
    "explains why no one loses access where it matches people (%i analysts)",
    async (analysts, number, who) => {
      const made = await planned(
        await scene(analysts, { members: [] }),
        groupRule('subject.jobTitle == "Ghost"'),
      );
      const [line] = linesOf(made);
      expect(line).toContain(`match (was ${number}, ${who})`);
      expect(made.findings.find(({ guard }) => guard === "nobody")?.message).toContain(
        `it would hold for no one; it holds for ${number} ${number === "1" ? "person" : "people"} now, ${who}`,
      );
      const held = await planned(await scene(analysts), groupRule('subject.jobTitle == "Ghost"'));
      expect([...linesOf(held), ...held.findings.map(({ message }) => message)].join()).not.toContain(
        "have it",
      );
    },
  );
});

/** What a plan says below its steps about people. */
function linesOf({ impact }: Planned): readonly string[] {
  if (impact === null) throw new Error("people were not counted");
  return impact.steps.flatMap((step) => describePeople(step, impact, {}).lines);
}
