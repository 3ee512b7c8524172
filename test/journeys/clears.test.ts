import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../fakes/many.js";
import type { Manifest } from "../fakes/project.js";
import { ANSWERS, openStage, type Stage, text } from "./worldsStage.js";

/** A service that cannot be read: a field that is cleared is sent, and counts as cleared only when it was answered. */

const [APP, REVIEW, TEAM, TRAIT] = [idOf("app", 1), idOf("review", 1), idOf("team", 1), idOf("trait", 1)];
const team = (spec: Manifest["spec"]): Manifest => ({
  kind: "ResourceType",
  name: "team",
  spec: { appId: APP, id: TEAM, ...spec },
});
const review = (roles: readonly number[]): Manifest => ({
  kind: "TemplateScope",
  name: "review",
  spec: {
    templateId: REVIEW,
    scope: { specificResources: {}, allUsers: {} },
    entitlements: roles.map((number) => ({ appId: APP, appEntitlementId: idOf("role", number) })),
  },
});

let stage: Stage;
beforeEach(async () => {
  stage = await openStage("core");
});
afterEach(() => stage.close());

const traits = () => stage.sandbox.store.resourceTypes.get(APP, TEAM)?.traitIds ?? [];
const rows = () =>
  stage.sandbox.store.setups.all().find(({ templateId }) => templateId === REVIEW)?.entitlements ?? [];

async function apply(code: number): Promise<string> {
  const applied = await stage.run("apply", "--yes", ...ANSWERS);
  expect(applied.code, text(applied)).toBe(code);
  return text(applied);
}

async function expectPlan(code: number): Promise<string> {
  const planned = await stage.run("plan", "--detailed-exitcode", ...ANSWERS);
  expect(planned.code, text(planned)).toBe(code);
  return text(planned).replace(/\s+/g, " ");
}

describe("a clear whose reply was lost", () => {
  it.each([
    {
      field: "traitIds",
      was: team({ displayName: "Team", traitIds: [TRAIT] }),
      is: team({ displayName: "Team", traitIds: [] }),
      left: traits,
    },
    { field: "entitlements", was: review([1, 2]), is: review([]), left: rows },
  ])("of $field is unknown, and is written again", async ({ field, was, is, left }) => {
    const { project, trouble } = stage;
    project.write([was]);
    await apply(0);
    project.write([is]);
    trouble([{ fault: "error", status: 503, method: "POST", path: "*/v1/a*" }]);
    await apply(1);
    trouble([]);
    const planned = await expectPlan(2);
    expect(planned).toContain(field);
    expect(planned).toContain("the last write got no answer, so remit writes it again");
    await apply(0);
    expect(left()).toEqual([]);
    await expectPlan(0);
  });
});

describe("the first value of a field that was never seen", () => {
  it.each([
    { what: "an empty list", spec: { traitIds: [] } },
    { what: "null", spec: { traitIds: null } },
    { what: "an empty list beside a name", spec: { displayName: "Team", traitIds: [] } },
  ])("is sent where it is $what", async ({ spec }) => {
    const { project, sandbox } = stage;
    const before = sandbox.store.resourceTypes.get(APP, TEAM);
    if (before !== undefined) sandbox.store.resourceTypes.put(APP, TEAM, { ...before, traitIds: [TRAIT] });
    project.write([team(spec)]);
    expect(await expectPlan(2)).toContain("traitIds: (not seen) → (unset)");
    await apply(0);
    expect(traits()).toEqual([]);
    await expectPlan(0);
  });

  it("is sent where a write of another field showed that it is so already: it was not remit's then", async () => {
    const { project, sandbox } = stage;
    const before = sandbox.store.resourceTypes.get(APP, TEAM);
    if (before !== undefined) sandbox.store.resourceTypes.put(APP, TEAM, { ...before, traitIds: [TRAIT] });
    project.write([team({ displayName: "Team" })]);
    await apply(0);
    const now = sandbox.store.resourceTypes.get(APP, TEAM);
    if (now !== undefined) sandbox.store.resourceTypes.put(APP, TEAM, { ...now, traitIds: [] });
    project.write([team({ displayName: "Team", traitIds: [TRAIT] })]);
    expect(await expectPlan(2)).toContain(`traitIds: (not seen) → [${TRAIT}]`);
    await apply(0);
    expect(traits()).toEqual([TRAIT]);
    await expectPlan(0);
  });

  it("is not sent where the manifest writes none: an empty mask may mean every field", async () => {
    const { project, sandbox } = stage;
    project.write([team({})]);
    await apply(0);
    await expectPlan(0);
    expect(sandbox.log.count({ method: "POST", path: "*/resource_types/*" })).toBe(0);
  });

  it("is sent where it is an empty text, and what the service says of it is not hidden", async () => {
    const { project, sandbox } = stage;
    project.write([team({ displayName: "" })]);
    const planned = await expectPlan(2);
    expect(planned).toContain("displayName: (not seen) → (unset)");
    await stage.run("apply", "--yes", ...ANSWERS);
    const [request] = sandbox.log.entries({ method: "POST", path: "*/resource_types/*" });
    expect(request?.body).toMatchObject({ updateMask: "displayName", appResourceType: { displayName: "" } });
  });
});
