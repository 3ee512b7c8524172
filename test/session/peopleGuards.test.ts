import { describe, expect, it } from "vitest";
import type { Acknowledgement } from "../../src/plan/guards/acknowledge.js";
import { DEFAULT_LIMITS, type Limits } from "../../src/plan/guards/limits.js";
import { NO_SETTINGS } from "../../src/plan/guards/rules.js";
import type { Counting } from "../../src/plan/people/counting.js";
import type { Plan } from "../../src/plan/plan.js";
import { hashesOf } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import { PLAN_FORMAT, sealOf } from "../../src/plan/saved/spelling.js";
import { readSeed } from "../../src/sandbox/tenant/seed/seed.js";
import { apply } from "../../src/session/apply/apply.js";
import { plan as makePlan } from "../../src/session/plan/plan.js";
import { checkedClient, refusal } from "../fakes/checkedClient.js";
import { COUNTING, groupRule, taxSeed, user } from "./people.js";
import { type SessionScene, sessionScene } from "./scene.js";

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

async function planned(at: SessionScene, text: string, how: Asked = {}): Promise<Plan> {
  const { value, diagnostics } = await makePlan(asked(at, text, how), at.session);
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  return value;
}

function guardsOf({ findings }: Plan): readonly string[] {
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
        message: expect.stringContaining("2 steps that change a rule: people were not counted"),
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
    const proposal = { limits: { ...rules.limits, maxLosing: 9 }, acknowledgements: [] };
    const settings = { ...NO_SETTINGS, proposal };
    const { value } = await makePlan({ ...request, rules: { ...rules, settings } }, at.session);
    expect(value?.findings).toMatchObject([
      { guard: "max-losing", acknowledged: null, proposed: [{ setting: "guards.maxLosing", place: null }] },
    ]);
  });

  it("is derived again from a saved plan", async () => {
    const at = await scene(3);
    const made = await planned(at, groupRule(DIRECTORS), { limits: { maxLosing: 2 } });
    const saved = {
      formatVersion: PLAN_FORMAT,
      ...hashesOf({ ...made, findings: [] }),
      plan: { ...made, findings: [] },
    };
    const { value, diagnostics } = readSavedPlan(JSON.stringify(saved));
    expect(diagnostics).toEqual([]);
    expect(value?.plan.findings).toEqual(made.findings);
    expect(value?.seal).toBe(sealOf(made));
  });
});

describe("an apply with a limit in people", () => {
  const limits = { maxLosing: 5 };

  async function applied(at: SessionScene, made: Plan, how: Asked, expected: string | null = null) {
    const plan = expected === null ? { plan: made, ...hashesOf(made) } : null;
    const request = asked(at, groupRule(DIRECTORS), how);
    const result = await apply(at.order(request, { plan, expected }), at.session);
    return result.as === "refused" ? result.diagnostics.map(({ code }) => code) : result.as;
  }

  it("counts again, and does what was reviewed", async () => {
    const at = await scene(3);
    const made = await planned(at, groupRule(DIRECTORS), { limits });
    expect(await applied(at, made, { limits })).toBe("applied");
  });

  it("refuses a saved plan where more people lose access than it shows", async () => {
    const at = await scene(3);
    const made = await planned(at, groupRule(DIRECTORS), { limits });
    expect(await applied(at, fewer(made), { limits })).toEqual(["impact/grew"]);
    expect(at.writes()).toBe(0);
  });

  it("does not believe what a saved plan says of people", async () => {
    const at = await scene(8);
    const made = await planned(at, groupRule(DIRECTORS));
    const claimed = { ...made, impact: null };
    expect(await applied(at, claimed, { limits })).toEqual(["guard/max-losing"]);
    expect(await applied(at, claimed, { limits, counting: null })).toEqual(["guard/impact-unknown"]);
  });

  it("lets a step take back what the tenant added to a rule, and no other", async () => {
    const at = await scene(3);
    expect(await applied(at, await planned(at, groupRule(DIRECTORS)), {})).toBe("applied");
    const drifted = async (expression: string) => {
      const automations = at.sandbox.store.automations;
      const [row] = automations.all().filter(({ displayName }) => displayName === "Tax");
      if (row === undefined) throw new Error("no automation of the group");
      automations.put(row.appId, row.appEntitlementId, { ...row, cel: { expression } });
      return guardsOf(await planned(at, groupRule(DIRECTORS), { limits: { maxLosing: 2 } }));
    };
    expect(await drifted(`subject.department == "Tax" || ${DIRECTORS}`)).toEqual([]);
    expect(await drifted("true")).toEqual([]);
    // Someone gains by it, so the rule is not only narrower.
    expect(await drifted('subject.department == "Tax"')).toEqual(["max-losing"]);
  });

  it("checks only the limits of a plan that is expected", async () => {
    const at = await scene(3);
    const made = await planned(at, groupRule(DIRECTORS));
    const { effect } = hashesOf(made);
    expect(await applied(at, made, { limits: { maxLosing: 2 } }, effect)).toEqual(["guard/max-losing"]);
    expect(await applied(at, made, { limits }, effect)).toBe("applied");
  });

  /** The same plan, as if no one lost access when it was made. */
  function fewer(made: Plan): Plan {
    const { impact } = made;
    if (impact === null) throw new Error("people were not counted");
    const steps = impact.steps.map((step) =>
      step.as === "members" ? { ...step, loses: { ...step.loses, high: 1 } } : step,
    );
    return { ...made, impact: { ...impact, steps } };
  }
});

describe("a rule that may lock out the user of the credentials", () => {
  it("is a finding of its own, for its step", async () => {
    const at = await scene(3, { operator: "tax1@x.test" });
    const { findings } = await planned(at, groupRule(DIRECTORS));
    expect(findings).toMatchObject([{ guard: "lock-out", address: { name: "tax" } }]);
  });

  it("is none where the user keeps access, or the service does not name one", async () => {
    const kept = await scene(3, { operator: "bo@x.test" });
    expect(guardsOf(await planned(kept, groupRule(DIRECTORS)))).toEqual([]);
    const { tenant } = readSeed(JSON.stringify({ ...seed(3), operator: "tax1@x.test" }), "seed.yaml");
    const silent = await sessionScene("full", {
      sandbox: { tenant },
      rules: [{ fault: "error", status: 403, path: "/api/v1/auth/introspect" }],
    });
    const { findings, impact } = await planned(silent, groupRule(DIRECTORS));
    expect(findings).toEqual([]);
    expect(impact?.failed).toEqual([]);
  });
});

describe("everyone and no one, by count", () => {
  const NO_ONE = 'subject.department == "Nowhere"';
  const MOST = 'subject.department != "Nowhere"';

  it("trips where a rule holds for more than nine of ten people from now on", async () => {
    const at = await scene(30);
    const { findings } = await planned(at, groupRule(MOST));
    expect(findings).toMatchObject([]);
    const law = { automations: [{ entitlement: "C1/c1-tax-member", name: "Tax", cel: DIRECTORS }] };
    const made = await planned(await scene(30, law), groupRule(MOST));
    expect(made.findings).toMatchObject([
      { guard: "everyone", message: "it would hold for 32 of 32 people, more than 90 %" },
    ]);
  });

  it("trips where a rule held for some and holds for no one from now on", async () => {
    const { findings } = await planned(await scene(30), groupRule(NO_ONE));
    expect(findings).toMatchObject([
      { guard: "nobody", message: "it would hold for no one; it holds for 31 people now" },
    ]);
  });

  it("trips however few people a rule held for, and not where it held for no one", async () => {
    const one = { limits: { changesFloor: 10 } };
    const { findings } = await planned(await scene(0), groupRule(NO_ONE), one);
    expect(findings).toMatchObject([
      { guard: "nobody", message: "it would hold for no one; it holds for 1 person now" },
    ]);
    const none = { automations: [{ entitlement: "C1/c1-tax-member", name: "Tax", cel: NO_ONE }] };
    const other = groupRule('subject.department == "Elsewhere"');
    expect(guardsOf(await planned(await scene(3, none), other, one))).toEqual([]);
  });

  it("trips for a basic rule, whose people rest on what is not documented", async () => {
    const basic = groupRule(NO_ONE).replace("cel:", "basic:");
    const { findings } = await planned(await scene(3), basic);
    expect(findings).toMatchObject([
      { guard: "nobody", message: "it would hold for no one; it holds for 4 people now" },
    ]);
  });

  it("adds nothing to what is found by meaning, and nothing below the floor or without all people", async () => {
    const law = { automations: [{ entitlement: "C1/c1-tax-member", name: "Tax", cel: DIRECTORS }] };
    expect(guardsOf(await planned(await scene(30, law), groupRule("true")))).toEqual(["everyone"]);
    expect(guardsOf(await planned(await scene(30), groupRule("false")))).toEqual(["nobody"]);
    const limits = { changesFloor: 40 };
    expect(guardsOf(await planned(await scene(30, law), groupRule(MOST), { limits }))).toEqual([]);
    const counting = { calls: 1 };
    expect(guardsOf(await planned(await scene(30, law), groupRule(MOST), { counting }))).toEqual([]);
  });

  it("is answered like any guard", async () => {
    const acknowledgements = [{ by: "flag", guard: "nobody", address: null }] as const;
    const { findings } = await planned(await scene(30), groupRule(NO_ONE), { acknowledgements });
    expect(findings).toMatchObject([{ guard: "nobody", acknowledged: { by: "flag" } }]);
  });
});
