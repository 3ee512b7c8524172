import { describe, expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import type { SessionResult } from "../../src/apply/result.js";
import { apply } from "../../src/apply/run.js";
import { isObject, type JsonObject } from "../../src/model/json.js";
import type { Planned } from "../../src/plan/plan.js";
import { hashesOf } from "../../src/plan/saved/effect.js";
import type { VerifiedPlan } from "../../src/plan/saved/read.js";
import type { Step } from "../../src/plan/step.js";
import { type StepPart, withPart } from "../plan/stepPart.js";
import { automation, type SessionScene, sessionScene } from "./sessionScene.js";

const FINANCE = 'subject.department == "Finance"';
const one = automation("one");
const two = automation("two", FINANCE, 2);
const both = `${one}---\n${two}`;

async function planned(
  { session, request }: SessionScene,
  manifests: string,
  prune = false,
): Promise<VerifiedPlan> {
  const asked = request(manifests);
  const { value, diagnostics } = await plan({ ...asked, mode: { ...asked.mode, prune } }, session);
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  return { plan: value, ...hashesOf(value) };
}

/** A plan that was changed after it was made, with hashes that fit. */
function forged(
  { plan: made }: VerifiedPlan,
  change: (step: Step) => StepPart,
  more: Partial<Planned> = {},
): VerifiedPlan {
  const next = { ...made, ...more, steps: made.steps.map((step) => withPart(step, change(step))) };
  return { plan: next, ...hashesOf(next) };
}

function codesOf(result: SessionResult): readonly string[] {
  const diagnostics =
    result.as === "applied"
      ? result.summary.notable.flatMap((ended) => ended.diagnostics)
      : result.diagnostics;
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

describe("a saved plan", () => {
  it("is not stale where the service has a field since that remit does not compare", async () => {
    const scene = await sessionScene();
    const { session, sandbox, request, order } = scene;
    await apply(order(request(one)), session);
    const edited = automation("one", FINANCE);
    const before = await planned(scene, edited);
    sandbox.faults.set({ seed: 1, rules: [{ fault: "quirks", quirks: { volatileFields: true } }] });
    const after = await planned(scene, edited);
    expect(after.plan.notCompared).toEqual([
      {
        kind: "EntitlementAutomation",
        objects: 1,
        members: expect.arrayContaining(["createdAt", "nextRunAt"]),
      },
    ]);
    expect(before.plan.notCompared).not.toEqual(after.plan.notCompared);
    expect([after.effect, after.plan.steps]).toEqual([before.effect, before.plan.steps]);
    expect(await apply(order(request(edited), { plan: before }), session)).toMatchObject({
      as: "applied",
      summary: { outcomes: { done: 1, refused: 0 } },
    });
    expect((await planned(scene, edited)).plan.steps).toMatchObject([{ action: "keep", reason: "in sync" }]);
  });
});

describe("two saved plans of two pull requests", () => {
  it("both apply, though the first changed the state's serial", async () => {
    const scene = await sessionScene();
    const { session, request, order, contents, writes } = scene;
    const [first, second] = [await planned(scene, one), await planned(scene, two)];
    expect(await apply(order(request(both), { plan: first }), session)).toMatchObject({ as: "applied" });
    expect(await apply(order(request(both), { plan: second }), session)).toMatchObject({
      as: "applied",
      summary: { outcomes: { done: 1, refused: 0 } },
    });
    expect(writes()).toBe(2);
    expect(Object.keys(contents.snapshot?.entries ?? {})).toHaveLength(2);
  });

  it("do not both apply where they concern one object", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    const [first, second] = [await planned(scene, one), await planned(scene, automation("one", FINANCE))];
    await apply(order(request(one), { plan: first }), session);
    const result = await apply(order(request(one), { plan: second }), session);
    expect(result).toMatchObject({ as: "applied", summary: { outcomes: { done: 0, refused: 1 } } });
    expect(codesOf(result)).toEqual(["plan/stale"]);
    expect(writes()).toBe(1);
  });
});

describe("a saved plan is refused for one object", () => {
  it("whose record changed while the object stayed as it was", async () => {
    const scene = await sessionScene();
    const { session, request, order, contents, writes } = scene;
    await apply(order(request(both)), session);
    const saved = await planned(scene, one, true);
    const [name, entry] = Object.entries(contents.snapshot?.entries ?? {}).at(-1) ?? ["", null];
    if (contents.snapshot === null || entry === null) throw new Error("nothing is recorded");
    const entries = { ...contents.snapshot.entries, [name]: { ...entry, protected: true } };
    contents.snapshot = { ...contents.snapshot, entries };
    const acknowledgements = [{ by: "flag", guard: "protected", address: null }] as const;
    const asked = request(one, { acknowledgements });
    const given = { ...asked, mode: { ...asked.mode, prune: true } };
    expect(codesOf(await apply(order(given, { plan: saved }), session))).toEqual(["plan/stale"]);
    expect(writes()).toBe(2);
  });
});

describe("an apply that is repeated", () => {
  it("says that a complete one is applied already", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    const saved = await planned(scene, both);
    const pinned = { expected: saved.effect };
    expect(await apply(order(request(both), { plan: saved, ...pinned }), session)).toMatchObject({
      as: "applied",
    });
    for (const given of [saved, null]) {
      const again = await apply(order(request(both), { plan: given, ...pinned }), session);
      expect(again).toMatchObject({ as: "already applied", effect: saved.effect });
    }
    expect(writes()).toBe(2);
  });

  it.each(["saved", "fresh"])("continues one that ended early, with a %s plan", async (which) => {
    const scene = await sessionScene();
    const { session, request, order, sandbox, contents, writes } = scene;
    const saved = await planned(scene, both);
    sandbox.faults.set({
      seed: 1,
      rules: [{ operation: "CreateAutomation", fault: "error", status: 500, times: 1 }],
    });
    const ended = await apply(order(request(both), { plan: saved, expected: saved.effect }), session);
    expect(ended).toMatchObject({ as: "applied", summary: { outcomes: { done: 1, failed: 1 } } });
    expect(contents.snapshot?.applying).toMatchObject({ effect: saved.effect, isComplete: false });
    expect(contents.snapshot?.applying?.done).toHaveLength(1);
    const plan = which === "saved" ? saved : null;
    const again = await apply(order(request(both), { plan, expected: saved.effect }), session);
    expect(again).toMatchObject({ as: "applied", summary: { outcomes: { done: 1 } } });
    expect(contents.snapshot?.applying).toMatchObject({ effect: saved.effect, isComplete: true });
    expect(contents.snapshot?.applying?.done).toHaveLength(2);
    expect(writes()).toBe(3);
  });

  it("refuses a fresh plan that would do something else than the rest", async () => {
    const scene = await sessionScene();
    const { session, request, order, sandbox } = scene;
    const saved = await planned(scene, both);
    sandbox.faults.set({
      seed: 1,
      rules: [{ operation: "CreateAutomation", fault: "error", status: 500, times: 1 }],
    });
    await apply(order(request(both), { expected: saved.effect }), session);
    const other = `${automation("one", 'subject.email == "a"')}---\n${automation("two", 'subject.email == "b"', 2)}`;
    expect(codesOf(await apply(order(request(other), { expected: saved.effect }), session))).toEqual([
      "plan/unexpected",
    ]);
  });

  it("applies a fresh plan again when the tenant went back to what it was", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    const saved = await planned(scene, one);
    await apply(order(request(one), { expected: saved.effect }), session);
    const create = saved.plan.steps[0]?.calls[0];
    if (create === undefined) throw new Error("nothing is created");
    const path = create.path.slice(0, -1);
    await session.client?.send({ operation: "Test", method: "DELETE", path, body: {}, effect: "repeatable" });
    expect(await apply(order(request(one)), session)).toMatchObject({ as: "applied" });
    expect(writes()).toBe(3);
  });
});

describe("a plan carries no authority:", () => {
  it("its acknowledgements have no effect", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    const everyone = automation("one", "true");
    const acknowledgements = [{ by: "flag", guard: "everyone", address: null }] as const;
    const { value } = await plan(request(everyone, { acknowledgements }), session);
    if (value === null) throw new Error("there is no plan");
    expect(value.findings[0]?.acknowledged).not.toBeNull();
    const result = await apply(
      order(request(everyone), { plan: { plan: value, ...hashesOf(value) } }),
      session,
    );
    expect(codesOf(result)).toEqual(["guard/everyone"]);
    expect(writes()).toBe(0);
  });

  it("its deletes are refused where --prune is not given", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    await apply(order(request(both)), session);
    const saved = await planned(scene, one, true);
    expect(codesOf(await apply(order(request(one), { plan: saved }), session))).toEqual([
      "plan/undecided-delete",
    ]);
    expect(writes()).toBe(2);
  });

  it("a decision in remit.yaml where it is applied deletes as --prune does", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    await apply(order(request(both)), session);
    const saved = await planned(scene, one, true);
    const decision = {
      address: "EntitlementAutomation/two",
      key: null,
      decision: "delete",
      span: null,
    } as const;
    const given = request(one, { removals: { decisions: [decision], isPruneStanding: false } });
    expect(await apply(order(given, { plan: saved }), session)).toMatchObject({ as: "applied" });
    expect(writes()).toBe(3);
  });

  it("whether an object is protected is in the state", async () => {
    const scene = await sessionScene();
    const { session, request, order, contents, writes } = scene;
    const guarded = two.replace("{ name: two }", '{ name: two, annotations: { remit/protect: "true" } }');
    await apply(order(request(`${one}---\n${guarded}`)), session);
    const saved = await planned(scene, one, true);
    expect(saved.plan.steps.map(({ managed: { protected: is } }) => is)).toContain(true);
    const attack = forged(saved, () => ({ managed: { protected: false } }), { findings: [] });
    const asked = request(one);
    const given = { ...asked, mode: { ...asked.mode, prune: true } };
    expect(codesOf(await apply(order(given, { plan: attack }), session))).toEqual(["guard/protected"]);
    expect(Object.keys(contents.snapshot?.entries ?? {})).toHaveLength(2);
    expect(writes()).toBe(2);
  });
});

const FOREIGN = { expression: "true" };
const withForeign = (body: JsonObject): JsonObject => ({ ...body, cel: FOREIGN });
const hidden = (step: Step): StepPart => ({
  after: withForeign(step.after ?? {}),
  calls: step.calls.map(({ body = {}, ...call }) => {
    const inner = body.automation;
    return { ...call, body: isObject(inner) ? { automation: withForeign(inner) } : withForeign(body) };
  }),
});

describe("a write that a plan hides is refused:", () => {
  const noCondition = one.replace(/ {2}cel:.*\n/, "");

  it("a foreign condition in a create", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    const attack = forged(await planned(scene, noCondition), hidden);
    expect(codesOf(await apply(order(request(noCondition), { plan: attack }), session))).toEqual([
      "plan/other-changes",
    ]);
    expect(writes()).toBe(0);
  });

  it.each([false, true])("a foreign condition in an update, with `before` forged: %s", async (isForged) => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    await apply(order(request(one)), session);
    const renamed = noCondition.replace("displayName: one", "displayName: other");
    const made = await planned(scene, renamed);
    const attack = forged(made, (step) => ({
      ...hidden(step),
      before: isForged ? { ...step.before, cel: FOREIGN } : step.before,
    }));
    expect(codesOf(await apply(order(request(renamed), { plan: attack }), session))).toEqual([
      "plan/other-changes",
    ]);
    expect(writes()).toBe(1);
  });

  it("an owned field whose change is dropped while `rewritten` names its address", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    await apply(order(request(one)), session);
    const edited = one.replace("displayName: one", "displayName: other");
    const attack = forged(
      await planned(scene, edited),
      (step) => ({ ...hidden(step), changes: step.changes }),
      { rewritten: [{ address: { kind: "EntitlementAutomation", name: "one" }, fields: ["cel"] }] },
    );
    expect(codesOf(await apply(order(request(edited), { plan: attack }), session))).toEqual([
      "plan/other-changes",
    ]);
    expect(writes()).toBe(1);
  });

  it("a key that a manifest could not have", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    const attack = forged(await planned(scene, one), ({ key, calls }) => ({
      key: [key?.[0] ?? "", "a/../../token"],
      managed: { identity: { appId: key?.[0] ?? "", appEntitlementId: "a/../../token" } },
      calls: calls.map((call) => ({
        ...call,
        path: call.path.map((part) => (part === key?.[1] ? "a/../../token" : part)),
      })),
    }));
    expect(codesOf(await apply(order(request(one), { plan: attack }), session))).toEqual(["plan/unfit-key"]);
    expect(writes()).toBe(0);
  });

  it("a step that is there twice, and a need that is not a step", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    const made = await planned(scene, one);
    const repeated = { ...made.plan, steps: [...made.plan.steps, ...made.plan.steps] };
    const first = await apply(
      order(request(one), { plan: { plan: repeated, ...hashesOf(repeated) } }),
      session,
    );
    expect(codesOf(first)).toEqual(["plan/repeated-step"]);
    const needy = forged(made, () => ({ needs: [{ kind: "ResourceType", name: "none" }] }));
    const second = await apply(order(request(one), { plan: needy }), session);
    expect(codesOf(second)).toEqual(["plan/missing-need"]);
    expect(writes()).toBe(0);
  });
});
