import { describe, expect, it } from "vitest";
import { effectOf, stepHashes, writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import type { Applying, Snapshot } from "../../src/state/snapshot.js";
import { applyFrom, BEFORE, NOW, type Start, unshown } from "../fuzz/scene.js";

/** A tenant in which BEFORE was applied, and the saved plan of NOW. */
async function managed(on: "core" | "full") {
  const before = await applyFrom({ manifests: BEFORE, snapshot: null, on });
  const start: Start = { manifests: NOW, snapshot: before.snapshot, tenant: before.tenant(), on };
  const { shown, writes } = await applyFrom(start);
  const plan = shown === null ? null : readSavedPlan(writePlan(shown).text).value;
  if (plan === null || before.snapshot === null) throw new Error("nothing was planned");
  return { start, plan, snapshot: before.snapshot, writes };
}

describe("a state that says that the steps of a saved plan are done", () => {
  it.each([
    ["all of them", true],
    ["each by its hash", false],
  ])("does not keep them from being done, where the service can be read: %s", async (_, isComplete) => {
    const { start, plan, snapshot, writes } = await managed("full");
    const hashes = [...stepHashes(plan.plan).values()];
    const applying: Applying = { effect: plan.effect, done: isComplete ? [] : hashes, isComplete };
    const forged: Snapshot = { ...snapshot, applying };
    const ending = await applyFrom({ ...start, plan, snapshot: forged });
    expect(ending.result).toMatchObject({ as: "applied", summary: { outcomes: { failed: 0, refused: 0 } } });
    expect(ending.writes).toHaveLength(writes.length);
    expect(unshown(ending)).toEqual([]);
    const again = await applyFrom({ ...start, tenant: ending.tenant(), plan, snapshot: ending.snapshot });
    expect([again.result.as, again.writes]).toEqual(["already applied", []]);
  });

  it("does not make another plan the expected one", async () => {
    const { start, plan, snapshot } = await managed("full");
    const applying: Applying = { effect: effectOf(plan.plan), done: [], isComplete: true };
    const ending = await applyFrom({ ...start, snapshot: { ...snapshot, applying } });
    expect(ending.result.as).toBe("applied");
  });
});

describe("a state that gives a manifest without an id to another object", () => {
  const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
  const both = ["Team", "Payroll"].map(
    (name) => `---
apiVersion: remit/v1
kind: ResourceType
metadata: { name: ${name.toLowerCase()} }
spec: { appId: ${APP}, resourceType: CUSTOM, displayName: ${name} }
`,
  );

  it("blocks its step while the tenant has an object of its name", async () => {
    const before = await applyFrom({ manifests: both.join(""), snapshot: null });
    const { snapshot } = before;
    if (snapshot === null) throw new Error("nothing was applied");
    const entryOf = (name: string) => {
      const found = Object.entries(snapshot.entries).find(([, { address }]) => address.name === name);
      if (found === undefined) throw new Error(name);
      return found;
    };
    const [place, payroll] = entryOf("payroll");
    const entries = { [place]: { ...payroll, address: { kind: "ResourceType", name: "team" } } };
    const forged: Snapshot = { ...snapshot, entries };
    const tenant = before.tenant();
    const ending = await applyFrom({ manifests: both[0] ?? "", snapshot: forged, tenant });
    expect(ending.shown?.steps.map(({ action }) => action)).toEqual(["blocked"]);
    expect(ending.writes).toEqual([]);
  });
});
