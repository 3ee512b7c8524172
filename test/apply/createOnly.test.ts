import { expect, it } from "vitest";
import { kindNamed } from "../../src/kinds/index.js";
import type { Resource } from "../../src/manifest/resource.js";
import type { JsonObject } from "../../src/model/json.js";
import { describePlan } from "../../src/report/plan/describe.js";
import { actions, newType, outcomes, setScene } from "./scene.js";

/** A field that only a create can set, and that the service never shows. */

const made = newType("made");
const group = (more: JsonObject = {}): Resource => {
  return { ...made, spec: { ...made.spec, resourceType: "PROJECT", ...more } };
};

async function created() {
  const scene = await setScene();
  const run = await scene.apply(await scene.plan([group()]));
  expect(Object.values(outcomes(run)), JSON.stringify(run.events.at(-2))).toEqual(["done"]);
  const [entry] = Object.values((await scene.snapshot()).entries);
  expect(entry?.createOnly).toEqual({ resourceType: "PROJECT" });
  return scene;
}

it("is in the record, also after a later update", async () => {
  const { plan, apply, snapshot } = await created();
  await apply(await plan([group({ displayName: "Other" })]));
  expect(Object.values((await snapshot()).entries)).toMatchObject([
    { applied: { displayName: "Other" }, createOnly: { resourceType: "PROJECT" } },
  ]);
  expect(actions(await plan([group({ displayName: "Other" })]))).toEqual([]);
});

it("blocks its step when it is edited, and says at its line what a replacement requires", async () => {
  const { plan, apply, sandbox } = await created();
  const edited = group({ resourceType: "LICENSE", displayName: "Other" });
  const next = await plan([edited]);
  expect(next.steps).toMatchObject([
    {
      action: "blocked",
      reason: "create-only field edited",
      diagnostics: [{ code: "plan/create-only-edited", span: edited.place(["spec", "resourceType"]).span }],
    },
  ]);
  const [said] = next.steps[0]?.diagnostics ?? [];
  expect(said?.message).toContain("`resourceType` PROJECT, and the manifest writes LICENSE");
  expect(said?.hint).toContain("A replacement requires a new one");
  expect(said?.hint).toContain("To delete that one deletes the resource type and everything");
  sandbox.log.clear();
  await apply(next);
  expect(sandbox.log.count({ method: "POST" })).toBe(0);
});

it("may be left out once the object exists", async () => {
  const { plan } = await created();
  const { resourceType: _, ...spec } = group().spec;
  expect(actions(await plan([{ ...group(), spec }]))).toEqual([]);
});

it("may be another one where the object is gone and is created again", async () => {
  const { plan, apply, sandbox, snapshot } = await created();
  for (const row of sandbox.store.resourceTypes.all()) {
    sandbox.store.resourceTypes.put(row.appId, row.id, { ...row, deletedAt: "2026-01-01T00:00:00Z" });
  }
  const again = await plan([group({ resourceType: "LICENSE" })]);
  expect(actions(again)).toContain("create ResourceType/made");
  await apply(again);
  const classes = Object.values((await snapshot()).entries).map(({ createOnly }) => createOnly?.resourceType);
  expect(classes).toContain("LICENSE");
});

it("is in the record of a create whose reply was lost", async () => {
  const rules = [{ fault: "lost", operation: "CreateResourceType", times: 1 }] as const;
  const { plan, apply, snapshot } = await setScene({ rules });
  await apply(await plan([group()]));
  const [entry] = Object.values((await snapshot()).entries);
  expect(entry?.createOnly).toEqual({ resourceType: "PROJECT" });
});

/** A type that another program made, with the name of the manifest. */
async function adopted() {
  const scene = await setScene();
  const { appId, displayName } = group().spec;
  const id = "2fsgTvxP0DVTsNXEUBI7hOe0l9X";
  scene.sandbox.store.resourceTypes.put(String(appId), id, {
    appId: String(appId),
    id,
    displayName: String(displayName),
    resourceType: "ROLE",
  });
  return scene;
}

it("cannot be compared where remit did not create the object, and the plan says so at its line", async () => {
  const { plan, apply, snapshot } = await adopted();
  const first = await plan([group()]);
  const unknown = { code: "plan/create-only-unknown", span: group().place(["spec", "resourceType"]).span };
  expect(first.steps).toMatchObject([{ action: "adopt", diagnostics: [unknown] }]);
  await apply(first);
  const [entry] = Object.values((await snapshot()).entries);
  expect([entry?.createOnly, entry?.unverified]).toEqual([undefined, { resourceType: "PROJECT" }]);
  expect((await plan([group()])).steps).toMatchObject([{ action: "keep", diagnostics: [unknown] }]);
});

it("is a warning where it is edited and remit did not create the object", async () => {
  const { plan, apply } = await adopted();
  await apply(await plan([group()]));
  const edited = await plan([group({ resourceType: "LICENSE" })]);
  expect(edited.steps).toMatchObject([
    { action: "keep", diagnostics: [{ code: "plan/create-only-unverified", severity: "warning" }] },
  ]);
  expect(edited.steps[0]?.diagnostics[0]?.message).toContain("from PROJECT to LICENSE");
});

it("is shown in the plan of a create with the line of the manifest", async () => {
  const { plan } = await setScene();
  const made = await plan([group()]);
  const { steps } = describePlan(made, "sha256:0", kindNamed);
  const line = group().place(["spec", "resourceType"]).span.start.line;
  expect(steps[0]?.fields).toContainEqual(expect.objectContaining({ path: "resourceType", line }));
});
