import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bundleCommand, type Command } from "../fakes/command.js";
import { APP } from "../fakes/many.js";
import { openScene, type Scene } from "../fakes/scene.js";
import { auditCreates, auditState, auditTenant } from "./kill/audit.js";

/** Real signals to a real process that is in the midst of writing. */

let command: Command;
let scene: Scene;
beforeAll(async () => {
  command = await bundleCommand();
});
afterEach(() => scene.close());
afterAll(() => command.close());

/** The next apply, by itself, ends where an undisturbed one would have. */
async function expectRest(): Promise<void> {
  scene.hurry();
  const { code, stdout, stderr } = await scene.applyInside(1);
  expect(code, stdout + stderr).toBe(0);
  const wanted = scene.many.wanted(1);
  expect(auditTenant(wanted, scene.sandbox)).toEqual([]);
  expect(auditState(wanted, scene.project)).toEqual([]);
  expect(auditCreates(scene.sandbox)).toEqual([]);
}

/** How many objects are remembered. */
function remembered(): number {
  return Object.keys(scene.project.state()?.entries ?? {}).length;
}

/** How many objects the service has written: an object that takes two calls counts once both are done. */
function objectsWritten(): number {
  const paths = scene.sandbox.log.entries({ written: true }).map(({ operation, path, body }) => {
    const name = JSON.stringify(body).match(/"Made \d+"/)?.[0] ?? "";
    return operation === "CreateResourceType" ? name : path;
  });
  const made = scene.sandbox.store.resourceTypes.all().flatMap(({ id, displayName }) => {
    return displayName.startsWith("Made") ? [{ id, displayName: JSON.stringify(displayName) }] : [];
  });
  const nameOf = (path: string) => made.find(({ id }) => path.endsWith(`/${id}`))?.displayName ?? path;
  return new Set(paths.map(nameOf)).size;
}

describe("the first signal", () => {
  it.each([
    { signal: "SIGINT", code: 130 },
    { signal: "SIGTERM", code: 143 },
    { signal: "SIGHUP", code: 129 },
  ] as const)("$signal lets what is under way end, keeps it, sums up, and exits $code", async (given) => {
    scene = await openScene(command);
    const running = scene.start(1);
    await scene.written(9);
    running.process.kill(given.signal);
    const ended = await running.ended;
    expect([ended.code, ended.signal]).toEqual([given.code, null]);
    expect(ended.stderr).toContain("nothing more starts");
    const { log } = scene.sandbox;
    expect(log.count({ delivered: false })).toBe(0);
    expect(log.count({ written: true })).toBeLessThan(20);
    expect(remembered()).toBe(objectsWritten());
    expect(scene.project.kept()).toEqual(["state.json", "state.json.history"]);
    expect(ended.stdout).toMatch(/not started/);
    await expectRest();
  });
});

/** Searches are POST calls, too, and are not counted. */
const WRITES = "/api/v1/apps/*";

describe("the second signal", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "%s leaves at once, says so, and the next apply finds out",
    async (signal) => {
      scene = await openScene(command, { latency: 0, settings: { requestTimeout: "3s" } });
      const { faults, log } = scene.sandbox;
      // Only writes are slow, so that the plan is not.
      faults.set({
        seed: 1,
        rules: [{ fault: "latency", milliseconds: 2_000, method: "POST", path: WRITES }],
      });
      const running = scene.start(1);
      await scene.written(1);
      while ((faults.strikes[0] ?? 0) - log.count({ written: true }) < 3) await pause(2);
      running.process.kill("SIGINT");
      while (!running.printed().includes("nothing more starts")) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      running.process.kill(signal);
      const ended = await running.ended;
      expect([ended.code, ended.signal]).toEqual([signal === "SIGINT" ? 130 : 143, null]);
      expect(ended.stderr).toMatch(/Left with [3-4] under way/);
      expect(scene.project.hasJournal()).toBe(true);
      await expectRest();
    },
  );

  it("counts none that ended without being begun", async () => {
    scene = await openScene(command, { latency: 0 });
    await scene.applyInside(1);
    const { resourceTypes: types } = scene.sandbox.store;
    for (const type of types.of(APP).slice(0, 3)) {
      types.put(APP, type.id, { ...type, displayName: `${type.displayName} drifted` });
    }
    // Without a state, all that is as wanted is taken over.
    rmSync(join(scene.project.cwd, ".remit", "state.json"));
    const rules = [{ fault: "latency", milliseconds: 2_000, method: "POST", path: WRITES } as const];
    scene.sandbox.faults.set({ seed: 1, rules });
    const running = scene.start(1);
    while ((scene.sandbox.faults.strikes[0] ?? 0) < 3) await pause(2);
    running.process.kill("SIGINT");
    while (!running.printed().includes("nothing more starts")) await pause(2);
    running.process.kill("SIGINT");
    const ended = await running.ended;
    expect(ended.stderr).toContain("Left with 3 under way");
    await expectRest();
  });
});

describe("a signal before anything is written", () => {
  it("ends the run, and leaves nothing behind that the next one would trip over", async () => {
    scene = await openScene(command, { latency: 150 });
    const running = scene.start(1);
    while (scene.sandbox.log.count() === 0) await new Promise((resolve) => setImmediate(resolve));
    running.process.kill("SIGINT");
    const ended = await running.ended;
    expect([ended.code, ended.signal]).toEqual([130, null]);
    expect(ended.stderr).toContain("Nothing was changed in the tenant.");
    expect(scene.project.kept()).toEqual([]);
    expect(scene.sandbox.log.count({ written: true })).toBe(0);
    await expectRest();
  });
});
