import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { kindOf } from "../../src/kinds/index.js";
import { canonical } from "../../src/model/json.js";
import { rebuildCalls } from "../../src/plan/calls.js";
import type { Planned } from "../../src/plan/plan.js";
import { writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import { sealOfText } from "../../src/plan/saved/spelling.js";
import type { Step } from "../../src/plan/step.js";
import { typeIdOf } from "../../src/sandbox/tenant/builtin.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { type GroupScene, memberNamed, openGroups, resourceNamed } from "../fakes/groups.js";
import type { Manifest } from "../fakes/project.js";
import { type StepPart, withPart } from "../plan/stepPart.js";

// A saved plan comes from a stranger, who knows how to make both hashes again. An id that is pending is filled in by an
// apply, so it may stand only where remit itself would have put it.

const member = memberNamed("member", "eng");
const hook: Manifest = {
  kind: "Webhook",
  name: "hook",
  spec: { displayName: "Hook", url: "https://a.example" },
};
const MEMBER = "Entitlement/member";
const idOf = (address: string) => `\u2039id of ${address}\u203a`;

let scene: GroupScene;
let sandbox: GroupScene["sandbox"];
let project: GroupScene["project"];
beforeEach(async () => {
  scene = await openGroups();
  ({ sandbox, project } = scene);
  project.write([resourceNamed("eng", "eng"), resourceNamed("ops", "ops"), member, hook]);
});
afterEach(() => scene.close());

const remit = (...argv: readonly string[]) => scene.run(...argv);
const file = () => join(project.cwd, "plan.json");
const addressOf = ({ address: { kind, name } }: Step) => `${kind}/${name}`;

/** Changes the saved plan, and makes its calls, its seal and its effect again. */
function forge(change: (steps: readonly Step[]) => readonly Step[]): void {
  const { value } = readSavedPlan(readFileSync(file(), "utf8"));
  if (value === null) throw new Error("the plan cannot be read");
  const steps = change(value.plan.steps).map((step) => ({
    ...step,
    calls: rebuildCalls(step, kindOf(step.address)),
  }));
  const plan: Planned = { ...value.plan, steps };
  writeFileSync(file(), writePlan(plan).text);
}

const ofMember = (change: (step: Step) => StepPart) => (steps: readonly Step[]) =>
  steps.map((step) => (addressOf(step) === MEMBER ? withPart(step, change(step)) : step));
const naming = (address: string) => (step: Step) => ({
  managed: { identity: { ...step.managed.identity, appResourceId: idOf(address) } },
});
const withName = (step: Step, displayName: string): StepPart => ({
  after: { ...step.after, displayName },
  changes: step.changes.map((one) =>
    one.change.path[0] === "displayName" && "after" in one.change
      ? { ...one, change: { ...one.change, after: displayName } as typeof one.change }
      : one,
  ),
});

describe("a saved plan is refused before anything is sent, where its reference", () => {
  it.each<[string, (steps: readonly Step[]) => readonly Step[]]>([
    ["names a step that is not among its needs", ofMember(naming("Resource/ops"))],
    [
      "has lost its need",
      ofMember(() => ({
        needs: [],
      })),
    ],
    [
      "names a step of another kind",
      ofMember((step) => ({
        ...naming("Webhook/hook")(step),
        needs: [{ kind: "Webhook", name: "hook" }],
      })),
    ],
    [
      "names an object that no apply of this state created",
      (steps) => ofMember(() => ({ needs: [] }))(steps.filter((step) => addressOf(step) !== "Resource/eng")),
    ],
    [
      "names an object of a kind that no step creates",
      ofMember((step) => ({ ...naming("App/eng")(step), needs: [] })),
    ],
    ["stands in the key of its own object", ofMember(() => ({ key: [C1_APP_ID, idOf("Resource/eng")] }))],
    [
      "stands for an app",
      ofMember((step) => ({
        managed: { identity: { ...step.managed.identity, appId: idOf("Resource/eng") } },
      })),
    ],
    [
      "leads to a key that only the plan gives",
      (steps) =>
        steps.map((step) =>
          addressOf(step) === "Resource/eng"
            ? { ...step, key: [C1_APP_ID, typeIdOf("GROUP"), "anotherresource000000000000"] }
            : step,
        ),
    ],
  ])("%s", async (_, change) => {
    expect((await remit("plan", "--out", "plan.json")).code).toBe(0);
    forge(change);
    const { code, stderr } = await remit("apply", "plan.json", "--yes");
    expect([code, stderr]).toEqual([4, expect.stringContaining("error[plan/forged-reference]")]);
    expect(sandbox.log.count({ written: true })).toBe(0);
  });

  it("is a text that looks like one", async () => {
    await remit("plan", "--out", "plan.json");
    const saved = JSON.parse(readFileSync(file(), "utf8"));
    const plan = JSON.parse(
      JSON.stringify(saved.plan).replaceAll(
        '{"pending":"Resource/eng"}',
        JSON.stringify(idOf("Resource/eng")),
      ),
    );
    writeFileSync(file(), JSON.stringify({ ...saved, plan, seal: sealOfText(canonical(plan)) }));
    const { code, stderr } = await remit("apply", "plan.json", "--yes");
    expect([code, stderr]).toEqual([4, expect.stringContaining("error[plan/forged-reference]")]);
    expect(sandbox.log.count({ written: true })).toBe(0);
  });

  it("names what an apply created that the state has forgotten", async () => {
    await remit("plan", "--out", "plan.json");
    scene.disturb("CreateEntitlement", { fault: "error", status: 403 });
    expect((await remit("apply", "plan.json", "--out-remaining", "rest.json")).code).toBe(3);
    const state = join(project.cwd, ".remit", "state.json");
    const { applying, ...kept } = JSON.parse(readFileSync(state, "utf8"));
    expect(applying.created.length).toBeGreaterThan(0);
    writeFileSync(state, JSON.stringify({ ...kept, applying: { ...applying, created: [] } }));
    const before = sandbox.log.count({ written: true });
    const { code, stderr } = await remit("apply", "rest.json", "--yes");
    expect([code, stderr]).toEqual([4, expect.stringContaining("error[plan/forged-reference]")]);
    expect(sandbox.log.count({ written: true })).toBe(before);
  });
});

describe("a saved plan does not count as forged", () => {
  it("where a text has the form of a pending id: it is sent as it is shown", async () => {
    expect((await remit("plan", "--out", "plan.json")).code).toBe(0);
    forge(ofMember((step) => withName(step, idOf("Resource/eng"))));
    expect((await remit("apply", "plan.json", "--yes")).code).toBe(0);
    const names = sandbox.store.entitlements.all().map(({ displayName }) => displayName);
    expect(names).toContain(idOf("Resource/eng"));
  });

  it("where what it refers to is blocked", async () => {
    const type = typeIdOf("GROUP");
    const made = { appId: C1_APP_ID, appResourceTypeId: type, id: "2fsgTvxP0DVTsNXEUBI7hOe0l5R" };
    sandbox.store.resources.put(C1_APP_ID, made.id, { ...made, displayName: "eng" });
    const planned = await remit("plan", "--out", "plan.json");
    expect(planned.stdout).toContain("2 blocked");
    const { stderr } = await remit("apply", "plan.json", "--yes");
    expect(stderr).toContain("apply/leaves-blocked");
    expect(stderr).not.toContain("forged");
    expect(sandbox.store.webhooks.all()).toHaveLength(1);
  });
});
