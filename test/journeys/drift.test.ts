import { afterEach, expect, it } from "vitest";
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
  const row = sandbox.store.types.get(APP, TEAM);
  if (row !== undefined) sandbox.store.types.put(APP, TEAM, { ...row, displayName: "By hand" });

  for (let time = 1; time <= 2; time += 1) {
    const seen = await run("plan", "--refresh-only", "--record", "--detailed-exitcode");
    expect(seen.code, text(seen)).toBe(2);
    expect(text(seen)).toContain("By hand");
  }
  const [entry] = Object.values(project.state()?.entries ?? {});
  expect(entry).toMatchObject({ applied: applied?.applied, answered: applied?.answered });
  expect(entry?.drift).toMatchObject({ displayName: "By hand" });

  const planned = await run("plan", "--detailed-exitcode");
  expect(planned.code, text(planned)).toBe(2);
  expect(text(planned)).toContain("changed in the tenant");
  expect(text(planned)).not.toContain("edited");
  expect((await run("apply", "--yes")).code).toBe(0);
  expect((await run("plan", "--refresh-only", "--detailed-exitcode")).code).toBe(0);
  expect(Object.values(project.state()?.entries ?? {})[0]?.drift).toBeUndefined();
});
