import { describe, expect, it } from "vitest";
import { remainingPlan } from "../../src/apply/remaining.js";
import { writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { actions, automation, codes, newType, outcomes, scope, setScene, type } from "./scene.js";

const one = automation(1);
const renamed = automation(1, { displayName: "renamed" });

describe("a write", () => {
  it("is refused when its object has moved since the plan, and the others go on", async () => {
    const { plan, apply, sandbox } = await setScene();
    await apply(await plan([one, automation(2)]));
    const stale = await plan([renamed, automation(2, { displayName: "renamed" })]);
    const row = sandbox.store.automations.all()[0];
    if (row === undefined) throw new Error("there is no automation");
    sandbox.store.automations.put(C1_APP_ID, row.appEntitlementId, { ...row, description: "by hand" });
    const run = await apply(stale);
    expect(outcomes(run)).toEqual({
      "EntitlementAutomation/automation-1": "refused",
      "EntitlementAutomation/automation-2": "done",
    });
    expect(codes(run, one.address)).toEqual(["plan/stale"]);
    expect(sandbox.store.automations.all()[0]).toMatchObject({
      displayName: "automation 1",
      description: "by hand",
    });
  });

  it("is not made when its object has become what was wanted", async () => {
    const { plan, apply, sandbox } = await setScene();
    const first = await plan([one, scope(3)]);
    await apply(first);
    sandbox.log.clear();
    const again = await apply(first);
    expect(Object.values(outcomes(again))).toEqual(["done", "done"]);
    expect(codes(again, one.address)).toEqual(["apply/already-so"]);
    expect(sandbox.log.count({ method: "POST" })).toBe(0);
  });

  it("is not made with calls that its step does not lead to", async () => {
    const { plan, apply, sandbox } = await setScene();
    const whole = await plan([one]);
    const steps = whole.steps.map((step) => ({
      ...step,
      calls: step.calls.map((call) => ({ ...call, path: ["api", "v1", "apps", "other"] })),
    }));
    const run = await apply({ ...whole, steps });
    expect(codes(run, one.address)).toEqual(["plan/other-calls"]);
    expect(sandbox.log.count({ method: "POST" })).toBe(0);
  });

  it("that the service spells otherwise is done, says nothing, and is in sync from then on", async () => {
    const quirks = { rewriteExpressions: true };
    const { plan, apply, snapshot } = await setScene({ rules: [{ fault: "quirks", quirks }] });
    const spaced = automation(1, { cel: { expression: "true  &&  true" } });
    const run = await apply(await plan([spaced]));
    expect(outcomes(run)).toEqual({ "EntitlementAutomation/automation-1": "done" });
    expect(run.summary.notable).toEqual([]);
    expect(Object.values((await snapshot()).entries)).toMatchObject([{ rewritten: ["cel.expression"] }]);
    const next = await plan([spaced]);
    expect(actions(next)).toEqual([]);
    expect(next.rewritten).toMatchObject([{ fields: ["cel.expression"] }]);
  });

  it("is done when it deletes what has gone meanwhile", async () => {
    const { plan, apply, sandbox, snapshot } = await setScene();
    await apply(await plan([one]));
    const end = await plan([], { prune: true });
    expect(actions(end)).toEqual(["delete EntitlementAutomation/automation-1"]);
    sandbox.faults.plant({
      operation: "DeleteAutomation",
      fault: "error",
      status: 502,
      written: true,
      times: 1,
    });
    expect(outcomes(await apply(end))).toEqual({ "EntitlementAutomation/automation-1": "done" });
    expect((await snapshot()).entries).toEqual({});
  });

  it("that is refused by the service says so in its words, with the id of the request and the manifest's place", async () => {
    const { plan, apply } = await setScene();
    const run = await apply(await plan([newType("team", "Squad")]));
    expect(run.summary.outcomes).toMatchObject({ done: 1 });
    const again = await plan([
      {
        ...newType("other", "Other"),
        spec: { appId: C1_APP_ID, resourceType: "GROUP", displayName: "Other" },
      },
    ]);
    const refused = await apply(again);
    const said = refused.summary.notable[0]?.diagnostics[0];
    expect(said).toMatchObject({ code: "apply/failed", span: { file: "manifests.yaml" } });
    expect(said?.message).toMatch(/app resource type already exists \(request \w+/);
  });
});

describe("what an apply leaves", () => {
  it("is a plan that can be frozen, thawed and applied", async () => {
    const { plan, apply, sandbox, snapshot } = await setScene({
      rules: [{ operation: "CreateAutomation", path: "*0000002/*", fault: "error", status: 500, times: 1 }],
    });
    const whole = await plan([automation(1), automation(2), automation(3)]);
    const { summary } = await apply(whole);
    const rest = remainingPlan(whole, summary, await snapshot());
    if (rest === null) throw new Error("nothing is left");
    expect(actions(rest)).toEqual(["create EntitlementAutomation/automation-2"]);
    expect(rest.calls.ahead).toEqual({ EntitlementAutomation: 2 });
    const thawed = readSavedPlan(writePlan(rest).text).value;
    if (thawed === null) throw new Error("it cannot be thawed");
    expect(thawed.plan.state?.serial).toBe((await snapshot()).serial);
    expect((await apply(thawed.plan)).summary.outcomes.done).toBe(1);
    expect(sandbox.store.automations.all()).toHaveLength(3);
  });

  it("is nothing when all is done", async () => {
    const { plan, apply, snapshot } = await setScene();
    const whole = await plan([type("team", "2fsgTvxP0DVTsNXEUBI7hOe0l5E")]);
    const { summary } = await apply(await plan([one]));
    expect(remainingPlan(whole, summary, await snapshot())).toBeNull();
  });
});
