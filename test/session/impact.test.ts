import { describe, expect, it } from "vitest";
import type { Counting } from "../../src/plan/counting.js";
import type { PlanImpact } from "../../src/plan/impact.js";
import type { Plan } from "../../src/plan/plan.js";
import { readSeed } from "../../src/sandbox/seed/seed.js";
import { plan as makePlan } from "../../src/session/plan.js";
import { COUNTING, groupRule, taxSeed, user } from "./people.js";
import { type SessionScene, sessionScene } from "./scene.js";

const SEED = taxSeed([
  user("Ana", "Tax", "Analyst"),
  user("Bo", "Tax", "Director"),
  user("Cy", "Law", "Director"),
]);

function tenantOf(seed: object) {
  return readSeed(JSON.stringify(seed), "seed.yaml").tenant;
}

function scene(seed: object = SEED): Promise<SessionScene> {
  return sessionScene("full", { sandbox: { tenant: tenantOf(seed) } });
}

async function planned(
  text: string,
  counting: Partial<Counting> | null = {},
  on?: SessionScene,
): Promise<Plan> {
  const { request, session } = on ?? (await scene());
  const { value, diagnostics } = await makePlan(
    request(text, { counting: counting === null ? null : { ...COUNTING, ...counting } }),
    session,
  );
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  return value;
}

function named(impact: PlanImpact | null, which: "gains" | "loses"): readonly string[] {
  const [step] = impact?.steps ?? [];
  return step?.as === "members" ? (step[which].people ?? []).map(({ name }) => name) : [];
}

describe("the people of a plan", () => {
  it("are those who lose and gain an entitlement by an edited rule", async () => {
    const { impact } = await planned(groupRule('subject.jobTitle == "Director"'));
    expect(impact?.users).toEqual({ read: 3, areAll: true });
    expect(named(impact, "loses")).toEqual(["Ana"]);
    expect(named(impact, "gains")).toEqual(["Cy"]);
    expect(impact?.steps[0]).toMatchObject({ gains: { certainty: "exact", low: 1 }, keeps: { high: 1 } });
  });

  it("are not asked for where nothing changes a rule, and nothing is read for it", async () => {
    const at = await scene();
    const same = await planned(groupRule('subject.department == "Tax"'), {}, at);
    expect(same.impact).toBeNull();
    expect(at.sandbox.witness.count({ operation: "ListUsers" })).toBe(0);
  });

  it("are not counted when that is switched off, and the effect of the plan stays the same", async () => {
    const at = await scene();
    const text = groupRule('subject.jobTitle == "Director"');
    const [on, off] = [await planned(text, {}, at), await planned(text, null, at)];
    expect(off.impact).toBeNull();
    expect({ ...on, impact: null, calls: off.calls }).toEqual(off);
  });

  it("have no names where none were asked for", async () => {
    const { impact } = await planned(groupRule('subject.jobTitle == "Director"'), { names: false });
    expect(JSON.stringify(impact)).not.toContain("Ruiz");
  });

  it("stay within the budget: a part of the users gives no upper bound", async () => {
    const { impact } = await planned(groupRule('subject.jobTitle == "Director"'), { calls: 1 });
    expect(impact?.users.areAll).toBe(false);
    expect(Object.values(impact?.calls ?? {}).reduce((sum, calls) => sum + calls, 0)).toBeLessThanOrEqual(1);
  });

  it("are unknown, and change nothing else, where the service refuses the read", async () => {
    const at = await sessionScene("full", {
      sandbox: { tenant: tenantOf(SEED) },
      rules: [{ fault: "error", status: 403, operation: "ListUsers" }],
    });
    const made = await planned(groupRule('subject.jobTitle == "Director"'), {}, at);
    expect(made.steps[0]?.action).toBe("update");
    expect(made.impact?.failed).toEqual([{ what: "users", why: expect.stringContaining("403") }]);
  });

  it("of a rule that no longer exists may stay members: the service documents neither", async () => {
    const text = groupRule("x").replace("cel: { expression: 'x' }", "none: {}");
    const { impact } = await planned(text);
    expect(impact?.steps[0]).toMatchObject({ ends: true, gains: { high: 0 }, loses: { low: 0, high: 2 } });
  });

  it("of a rule that never ends are unknown after a while", async () => {
    const slow = groupRule('("a".matches("a") && "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".matches("^(a+)+$"))');
    const { impact } = await planned(slow, { evaluate: (work) => COUNTING.evaluate(work, 50) });
    expect(impact?.steps[0]).toMatchObject({
      unknown: [{ why: "the expression takes too long", people: 3 }],
      gains: { low: 0 },
    });
  });
});
