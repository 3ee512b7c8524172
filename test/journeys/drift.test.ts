import { afterEach, expect, it } from "vitest";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { idOf } from "../fakes/many.js";
import { openStage, type Stage, text } from "./worldsStage.js";

const [APP, TEAM] = [idOf("app", 1), idOf("team", 1)];

let stage: Stage;
afterEach(() => stage.close());

it("drift that was recorded stays drift: it is shown again, and the author is not its cause", async () => {
  stage = await openStage("full");
  const { project, run, sandbox } = stage;
  project.write([
    { kind: "ResourceType", name: "team", spec: { appId: APP, id: TEAM, displayName: "Team" } },
  ]);
  expect((await run("apply", "--yes")).code).toBe(0);
  const applied = Object.values(project.state()?.entries ?? {})[0];
  const row = sandbox.store.resourceTypes.get(APP, TEAM);
  if (row !== undefined) sandbox.store.resourceTypes.put(APP, TEAM, { ...row, displayName: "By hand" });

  for (let time = 1; time <= 2; time += 1) {
    const seen = await run("plan", "--refresh-only", "--record", "--detailed-exitcode");
    expect(seen.code, text(seen)).toBe(2);
    expect(text(seen)).toContain("By hand");
  }
  const [entry] = Object.values(project.state()?.entries ?? {});
  expect(entry).toMatchObject({ applied: applied?.applied, answered: applied?.answered });
  expect(entry?.drift).toMatchObject({ displayName: "By hand" });

  const offline = await run("plan", "--offline", "--detailed-exitcode");
  expect(offline.code, text(offline)).toBe(2);
  expect(text(offline)).toMatch(/in the tenant now +By hand\n +an apply puts back Team/);
  expect(text(offline)).not.toContain("edited");

  const planned = await run("plan", "--detailed-exitcode");
  expect(planned.code, text(planned)).toBe(2);
  expect(text(planned)).toContain("changed in the tenant");
  expect(text(planned)).not.toContain("edited");
  expect((await run("apply", "--yes")).code).toBe(0);
  expect((await run("plan", "--refresh-only", "--detailed-exitcode")).code).toBe(0);
  expect(Object.values(project.state()?.entries ?? {})[0]?.drift).toBeUndefined();
});

it("an object that is gone stays drift: recording it drops nothing, and a plan creates it again", async () => {
  stage = await openStage("full");
  const { project, run, sandbox } = stage;
  const entitlement = idOf("group", 1);
  const spec = {
    appId: C1_APP_ID,
    appEntitlementId: entitlement,
    displayName: "Members",
    cel: { expression: "subject.isActive" },
  };
  project.write([{ kind: "EntitlementAutomation", name: "members", spec }]);
  const applied = await run("apply", "--yes");
  expect(applied.code, text(applied)).toBe(0);
  const row = sandbox.store.automations.get(C1_APP_ID, entitlement);
  if (row !== undefined)
    sandbox.store.automations.put(C1_APP_ID, entitlement, { ...row, deletedAt: "2026-01-01T00:00:00Z" });
  for (let time = 1; time <= 2; time += 1) {
    const seen = await run("plan", "--record", "--detailed-exitcode");
    expect(seen.code, text(seen)).toBe(2);
    expect(text(seen)).toContain("plan/gone");
    expect(text(seen).replaceAll(/\s+/g, " ")).toContain("`remit apply` creates it again. `remit accept ");
    expect(Object.keys(project.state()?.entries ?? {})).toHaveLength(1);
  }
  const planned = await run("plan", "--detailed-exitcode");
  expect(planned.code, text(planned)).toBe(2);
  expect(text(planned)).toMatch(/remit\s+creates it again/);
});

it("a saved plan of drift shows a rule of another sort than the manifest's, and can be accepted", async () => {
  stage = await openStage("full");
  const { project, run, sandbox } = stage;
  const [app, id] = [C1_APP_ID, idOf("group", 1)];
  const spec = { appId: app, appEntitlementId: id, displayName: "All", cel: { expression: "true" } };
  project.write([{ kind: "EntitlementAutomation", name: "all", spec }]);
  const applied = await run("apply", "--yes", "--acknowledge", "everyone");
  expect(applied.code, text(applied)).toBe(0);
  const row = sandbox.store.automations.get(app, id);
  if (row === undefined) throw new Error("the automation was not created");
  const { cel, ...rest } = row;
  sandbox.store.automations.put(app, id, { ...rest, basic: cel } as typeof row);

  const saved = await run("plan", "--refresh-only", "--out", "drift.json");
  expect(saved.code, text(saved)).toBe(0);
  const shown = await run("show", "drift.json");
  expect(shown.code, text(shown)).toBe(0);
  expect(text(shown)).toContain("conditions: basic instead of cel");
  const accepted = await run("accept", "--all-drift", "--from", "drift.json", "--yes");
  expect(accepted.code, text(accepted)).toBe(0);
  // The rule that is taken over is open: the same edit would ask, too.
  const after = await run("plan", "--detailed-exitcode", "--acknowledge", "everyone");
  expect(after.code, text(after)).toBe(0);
});
