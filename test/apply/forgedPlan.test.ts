import { describe, expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import type { SessionResult } from "../../src/apply/result.js";
import { apply } from "../../src/apply/run.js";
import type { Interface } from "../../src/kinds/interface.js";
import { isObject, type JsonObject } from "../../src/model/json.js";
import type { Planned } from "../../src/plan/plan.js";
import type { Request } from "../../src/plan/request.js";
import { hashesOf, writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import type { Step } from "../../src/plan/step.js";
import { type StepPart, withPart } from "../plan/stepPart.js";
import { automation, type SessionScene, sessionScene } from "./sessionScene.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";
const FINANCE = 'subject.department == "Finance"';
const one = automation("one");
const two = automation("two", FINANCE, 2);
const guarded = one.replace("{ name: one }", '{ name: one, annotations: { remit/protect: "true" } }');
const UNKNOWN = [{ by: "flag", guard: "unknown-current", address: null }] as const;

const row = (number: number) => `{ appId: ${APP}, appEntitlementId: entitlement000000000000000${number} }`;
const scope = (rest: string) => `apiVersion: remit/v1
kind: TemplateScope
metadata: { name: scope }
spec:
  templateId: template0000000000000000001
  ${rest}
`;

async function made({ session }: SessionScene, request: Request): Promise<Planned> {
  const { value, diagnostics } = await plan(request, session);
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  return value;
}

/** What becomes of a plan in which something was changed, with hashes that fit, as a file that is read and applied. */
async function applied(
  { session, order }: SessionScene,
  request: Request,
  forged: Planned,
): Promise<readonly string[]> {
  const { value, diagnostics } = readSavedPlan(writePlan(forged).text);
  const direct = codesOf(
    await apply(order(request, { plan: { plan: forged, ...hashesOf(forged) } }), session),
  );
  if (value === null) return diagnostics.map(({ code }) => code);
  const read = codesOf(await apply(order(request, { plan: value }), session));
  return [...new Set([...direct, ...read])];
}

const eachStep = (plan: Planned, change: (step: Step) => StepPart, more: Partial<Planned> = {}): Planned => ({
  ...plan,
  ...more,
  steps: plan.steps.map((step) => withPart(step, change(step))),
});

function codesOf(result: SessionResult): readonly string[] {
  const diagnostics =
    result.as === "applied"
      ? result.summary.notable.flatMap((ended) => ended.diagnostics)
      : result.diagnostics;
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

/** A scene in which something was applied already. */
async function managing(
  manifests: string,
  on: Interface = "full",
): Promise<SessionScene & { before: number }> {
  const scene = await sessionScene(on);
  const { session, request, order, writes } = scene;
  const result = await apply(order(request(manifests, { acknowledgements: UNKNOWN })), session);
  if (result.as !== "applied" || result.summary.outcomes.failed > 0) throw new Error(JSON.stringify(result));
  return { ...scene, before: writes() };
}

describe("a plan that claims not to have read is refused:", () => {
  const recorded = { interface: "core", source: "recorded", why: null } as const;
  const blind = (plan: Planned): Planned["interface"] => ({
    ...plan.interface,
    kinds: { ...plan.interface.kinds, EntitlementAutomation: recorded },
  });

  it.each(["auto", "full"] as const)("where `interface: %s` is in force", async (asked) => {
    const scene = await sessionScene();
    const { request, writes } = scene;
    const wanted = request(one, { interface: asked });
    const plan = await made(scene, wanted);
    const forged = eachStep(
      plan,
      () => ({ sight: { fingerprint: null, exists: "unknown" }, reason: "never applied" }),
      {
        interface: blind(plan),
      },
    );
    expect(await applied(scene, wanted, forged)).toEqual(["plan/other-interface"]);
    expect(writes()).toBe(0);
  });

  it("by another interface than the one in force", async () => {
    const scene = await sessionScene();
    const { request, writes } = scene;
    const plan = await made(scene, request(one, { interface: "core" }));
    expect(await applied(scene, request(one, { acknowledgements: UNKNOWN }), plan)).toEqual([
      "plan/other-interface",
    ]);
    expect(writes()).toBe(0);
  });
});

describe("a guard holds, whatever a plan says of its step:", () => {
  it("`unknown-current` of a write that drops why its object was not seen", async () => {
    const scene = await sessionScene("core");
    const { request, writes } = scene;
    const plan = await made(scene, request(one));
    expect(plan.steps.map(({ sight: { unseen } }) => unseen)).toEqual(["never written"]);
    const forged = eachStep(plan, () => ({ sight: { unseen: null } }), { findings: [] });
    expect(await applied(scene, request(one), forged)).toEqual(["guard/unknown-current"]);
    expect(writes()).toBe(0);
  });

  it("`unknown-current` of a half that a set replaces unseen", async () => {
    const scene = await sessionScene("core");
    const half = scope(`entitlements: [${row(1)}]`);
    const { request } = scene;
    const plan = await made(scene, request(half, { acknowledgements: UNKNOWN }));
    const forged = eachStep(plan, () => ({ sight: { unseen: null } }), { findings: [] });
    expect(await applied(scene, request(half), forged)).toEqual(["guard/unknown-current"]);
  });

  it("`nobody`, of an update that hides what is there before", async () => {
    const scene = await managing(one);
    const { request, writes, before } = scene;
    const closed = one.replace(/cel: .*\n/, "none: {}\n");
    const plan = await made(scene, request(closed));
    expect(plan.findings.map(({ guard }) => guard)).toEqual(["nobody"]);
    const forged = eachStep(
      plan,
      (step) => ({
        before: null,
        changes: step.changes.flatMap(({ change, ...rest }): Step["changes"] => [
          { ...rest, cause: "first", change: { ...change, before: null } as typeof change },
        ]),
      }),
      { findings: [] },
    );
    expect((await applied(scene, request(closed), forged))[0]).toMatch(
      /^(plan\/other-changes|guard\/nobody)$/,
    );
    expect(writes()).toBe(before);
  });

  it("`protected`, of a forget that claims that the object is gone", async () => {
    const scene = await managing(`${guarded}---\n${two}`);
    const { request, contents } = scene;
    const plan = await made(scene, request(two));
    const forged = eachStep(plan, ({ action }) =>
      action === "removed" ? { action: "forget", reason: "gone from tenant", sight: { exists: "no" } } : {},
    );
    expect(await applied(scene, request(two), forged)).toEqual(["plan/other-changes"]);
    expect(Object.keys(contents.snapshot?.entries ?? {})).toHaveLength(2);
  });

  it("a decision, of a forget that is not wanted where it is applied", async () => {
    const scene = await managing(`${one}---\n${two}`);
    const { request, contents } = scene;
    const plan = await made(scene, request(two));
    const forged = eachStep(plan, ({ action }) => (action === "removed" ? { action: "forget" } : {}));
    expect(await applied(scene, request(two), forged)).toEqual(["plan/undecided-forget"]);
    expect(Object.keys(contents.snapshot?.entries ?? {})).toHaveLength(2);
  });
});

describe("what a plan would record is refused where it hides it:", () => {
  it("a protection that goes with an ordinary update", async () => {
    const scene = await managing(guarded);
    const { request, contents } = scene;
    const edited = guarded.replace("displayName: one", "displayName: other");
    const forged = eachStep(await made(scene, request(edited)), () => ({ managed: { protected: false } }));
    expect(await applied(scene, request(edited), forged)).toEqual(["plan/other-changes"]);
    expect(Object.values(contents.snapshot?.entries ?? {}).map((entry) => entry.protected)).toEqual([true]);
  });

  it("and is done where it shows it", async () => {
    const scene = await managing(guarded);
    const { request, contents } = scene;
    const edited = one.replace("displayName: one", "displayName: other");
    const plan = await made(scene, request(edited));
    expect(plan.steps.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual([
      "plan/unprotected",
    ]);
    expect(await applied(scene, request(edited), plan)).toEqual([]);
    expect(Object.values(contents.snapshot?.entries ?? {}).map((entry) => entry.protected)).toEqual([false]);
  });

  it("another address, where it does not say that the object is renamed", async () => {
    const scene = await managing(one);
    const { request, contents } = scene;
    const renamed = one.replace("{ name: one }", "{ name: other }");
    const forged = eachStep(await made(scene, request(renamed)), () => ({ recorded: { renamedFrom: null } }));
    expect(await applied(scene, request(renamed), forged)).toEqual(["plan/other-changes"]);
    expect(Object.values(contents.snapshot?.entries ?? {}).map(({ address }) => address.name)).toEqual([
      "one",
    ]);
  });
});

describe("a write that a plan hides is refused, too:", () => {
  it("a delete that hides what the tenant changed since the last apply", async () => {
    const scene = await managing(`${one}---\n${two}`);
    const { request, sandbox } = scene;
    const id = "entitlement0000000000000001";
    const known = sandbox.store.automations.get(APP, id);
    if (known === undefined) throw new Error("the automation is there");
    sandbox.store.automations.put(APP, id, { ...known, displayName: "By hand" });
    const { mode } = request(two);
    const pruning = request(two, { mode: { ...mode, prune: true } });
    const honest = await made(scene, pruning);
    expect(honest.findings.map(({ guard }) => guard)).toEqual(["deletes-changed"]);
    const forged = { ...eachStep(honest, () => ({ recorded: { driftedFrom: null } })), findings: [] };
    expect(await applied(scene, pruning, forged)).toEqual(["plan/other-changes"]);
    expect(sandbox.store.automations.get(APP, id)?.deletedAt ?? null).toBeNull();
  });

  it.each([false, true])("foreign entitlements in a set, with `before` forged: %s", async (isForged) => {
    const wide = scope("scope: { allUsers: {} }");
    const scene = await managing(`${wide}  entitlements: [${row(1)}]\n`);
    const { request, sandbox } = scene;
    const sets = sandbox.log.count({ written: true });
    const narrow = scope("scope: { userCriteria: { userStatus: [ENABLED] } }");
    const more = { appId: APP, appEntitlementId: "entitlement0000000000000009" };
    const add = (fields: JsonObject | null): JsonObject => ({
      ...fields,
      entitlements: [...((fields?.entitlements ?? []) as readonly JsonObject[]), more],
    });
    const forged = eachStep(await made(scene, request(narrow)), (step) => ({
      after: add(step.after),
      before: isForged ? add(step.before) : step.before,
      calls: step.calls.map((call) => ({ ...call, body: add(isObject(call.body) ? call.body : {}) })),
    }));
    expect(forged.steps.map(({ action }) => action)).toEqual(["set"]);
    expect(await applied(scene, request(narrow), forged)).toEqual(["plan/other-changes"]);
    expect(sandbox.log.count({ written: true })).toBe(sets);
  });

  it("a field that is cleared without having been seen", async () => {
    const scene = await sessionScene("core");
    const type = `apiVersion: remit/v1
kind: ResourceType
metadata: { name: team }
spec: { appId: ${APP}, id: resourceType000000000000001, displayName: Team, traitIds: [] }
`;
    const { request, sandbox } = scene;
    const wanted = request(type, { acknowledgements: UNKNOWN });
    const plan = await made(scene, wanted);
    const forged = eachStep(plan, ({ changes }) => ({ changes: changes.slice(0, 1) }));
    expect(plan.steps.map(({ changes }) => changes.length)).toEqual([2]);
    expect(await applied(scene, wanted, forged)).toEqual(["plan/other-changes"]);
    expect(sandbox.log.count({ written: true })).toBe(0);
  });

  it("an edit that is shown as the tenant's drift", async () => {
    const scene = await managing(one);
    const { request, writes, before } = scene;
    const edited = one.replace("displayName: one", "displayName: other");
    const forged = eachStep(await made(scene, request(edited)), ({ changes }) => ({
      changes: changes.map((change) => ({ ...change, cause: "drifted" })),
    }));
    expect(await applied(scene, request(edited), forged)).toEqual(["plan/other-changes"]);
    expect(writes()).toBe(before);
  });

  it("an id that a step does not show beside the object's name", async () => {
    const scene = await managing(one);
    const { request, before, writes } = scene;
    const edited = request(automation("one", FINANCE));
    const forged = eachStep(await made(scene, edited), () => ({ managed: { identity: {} } }));
    expect(await applied(scene, edited, forged)).toEqual(["plan/other-changes"]);
    expect(writes()).toBe(before);
  });

  it("a second step for the same object under another address", async () => {
    const scene = await sessionScene();
    const { request, writes } = scene;
    const plan = await made(scene, request(one));
    const more = plan.steps.map((step) => ({ ...step, address: { ...step.address, name: "other" } }));
    const forged = { ...plan, steps: [...plan.steps, ...more] };
    expect(await applied(scene, request(one), forged)).toEqual(["plan/repeated-step"]);
    expect(writes()).toBe(0);
  });

  it("a delete that shows itself as drift", async () => {
    const scene = await managing(`${one}---\n${two}`);
    const { request, writes, before } = scene;
    const asked = request(two);
    const pruning = { ...asked, mode: { ...asked.mode, prune: true } };
    const value = { type: "value", path: ["displayName"], before: "one", after: null } as const;
    const forged = eachStep(await made(scene, pruning), ({ action }) =>
      action === "delete" ? { changes: [{ change: value, cause: "drifted", span: null, edit: null }] } : {},
    );
    expect(await applied(scene, pruning, forged)).toEqual(["plan/other-changes"]);
    expect(writes()).toBe(before);
  });
});

describe("what `remit show` prints of a plan follows from its steps:", () => {
  const shown = (forged: Planned): Planned => {
    const { value, diagnostics } = readSavedPlan(writePlan(forged).text);
    if (value === null) throw new Error(JSON.stringify(diagnostics));
    return value.plan;
  };

  it("findings that were removed or reworded, and one that was added", async () => {
    const scene = await sessionScene();
    const plan = await made(scene, scene.request(automation("one", "true")));
    expect(plan.findings.map(({ guard }) => guard)).toEqual(["everyone"]);
    expect(shown({ ...plan, findings: [] }).findings).toEqual(plan.findings);
    const told = plan.findings.map((finding) => ({ ...finding, message: "nothing to see" }));
    const about = { guard: "protected", address: { kind: "A", name: "b" } };
    const added = {
      ...about,
      message: "x",
      hash: `sha256:${"0".repeat(64)}`,
      acknowledged: null,
      proposed: [],
    };
    expect(shown({ ...plan, findings: [...told, added] }).findings).toEqual(plan.findings);
  });

  it("names of what it does not point at, the calls of an apply and its time", async () => {
    const scene = await sessionScene();
    const plan = await made(scene, scene.request(one));
    const forged = {
      ...plan,
      names: { ...plan.names, "app:elsewhere": "Jira" },
      calls: { ...plan.calls, ahead: {} },
      estimate: { ...plan.estimate, seconds: 0 },
      rewritten: [{ address: { kind: "EntitlementAutomation", name: "elsewhere" }, fields: ["cel"] }],
    };
    expect(shown(forged)).toEqual(plan);
  });

  it("a finding about the whole plan", async () => {
    const scene = await managing(`${one}---\n${two}`);
    const asked = scene.request(two);
    const rules = { ...asked.rules, limits: { ...asked.rules.limits, maxDeletes: 0 } };
    const plan = await made(scene, { ...asked, rules, mode: { ...asked.mode, prune: true } });
    expect(plan.findings.map(({ guard }) => guard)).toEqual(["max-deletes"]);
    expect(shown({ ...plan, findings: [] }).findings).toEqual(plan.findings);
  });
});
