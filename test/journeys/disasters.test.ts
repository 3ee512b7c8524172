import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_CLIENT } from "../../src/sandbox/auth/client.js";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { bundleCommand, type Command, type Surroundings } from "../fakes/command.js";
import type { Seen } from "../fakes/inside.js";
import { APP } from "../fakes/many.js";
import { openScene, type Scene } from "../fakes/scene.js";
import { auditCreates, auditState, auditTenant } from "./kill/audit.js";

/** What can befall a run: a clear message, an exit code, and nothing lost. It is a real process where that can matter. */

let command: Command;
let scene: Scene;
beforeAll(async () => {
  command = await bundleCommand();
});
afterEach(() => scene.close());
afterAll(() => command.close());

const nobody = process.getuid?.() === 0 ? 65_534 : undefined;
const asNobody: Partial<Surroundings> = nobody === undefined ? {} : { user: nobody };

/** No file may grow beyond so many blocks of a kilobyte: to a program the same as a disk without room. */
const withRoom = (blocks: number): Partial<Surroundings> => ({
  through: ["bash", "-c", `ulimit -f ${blocks}; exec "$0" "$@"`],
});

/** The next apply, by itself, ends where an undisturbed one would have. */
async function expectRest(round = 1): Promise<Seen> {
  scene.hurry();
  const ended = await scene.applyInside(round);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  const wanted = scene.many.wanted(round);
  expect(auditTenant(wanted, scene.sandbox)).toEqual([]);
  expect(auditState(wanted, scene.project)).toEqual([]);
  expect(auditCreates(scene.sandbox)).toEqual([]);
  return ended;
}

function said({ stdout, stderr }: Pick<Seen, "stdout" | "stderr">): string {
  return (stdout + stderr).replace(/\s+/g, " ");
}

const statePath = () => join(scene.project.cwd, ".remit", "state.json");

describe("a disk without room", () => {
  it("for the intent of a call stops the run before the call is sent", async () => {
    scene = await openScene(command, { latency: 5 });
    const ended = await scene.apply(1, withRoom(8));
    expect(said(ended)).toContain("the disk is full");
    expect(ended.code).toBe(3);
    expect(scene.sandbox.log.count({ written: true })).toBeLessThan(30);
    await expectRest();
  });

  it("for the state keeps the old one, and what was done is in the journal", async () => {
    scene = await openScene(command, { latency: 0 });
    await scene.applyInside(1);
    const before = readFileSync(statePath(), "utf8");
    // Four objects drift, so that the journal of their repair is small, and the state is not.
    const { resourceTypes: types } = scene.sandbox.store;
    for (const type of types.of(APP).slice(0, 4)) {
      types.put(APP, type.id, { ...type, displayName: `${type.displayName} drifted` });
    }
    const ended = await scene.apply(1, withRoom(8));
    expect(said(ended)).toContain("state.json could not be written: the disk is full");
    expect([1, 3]).toContain(ended.code);
    expect(readFileSync(statePath(), "utf8")).toBe(before);
    expect(scene.project.hasJournal()).toBe(true);
    await expectRest();
  });
});

describe("a state folder that may not be written to", () => {
  it("stops a run before anything is sent", async () => {
    scene = await openScene(command, { latency: 0 });
    const folder = join(scene.project.cwd, ".remit");
    mkdirSync(folder);
    for (const path of [scene.project.cwd, join(scene.project.cwd, "manifests")]) chmodSync(path, 0o755);
    chmodSync(folder, 0o555);
    const ended = await scene.apply(1, asNobody);
    expect(said(ended)).toContain("it may not be written");
    expect(ended.code).toBe(1);
    expect(scene.sandbox.log.count({ written: true })).toBe(0);
    chmodSync(folder, 0o755);
    await expectRest();
  });

  it("from the midst of a run on leaves what was done in the journal", async () => {
    scene = await openScene(command);
    const folder = join(scene.project.cwd, ".remit");
    mkdirSync(folder, { mode: 0o777 });
    for (const path of [scene.project.cwd, join(scene.project.cwd, "manifests")]) chmodSync(path, 0o755);
    chmodSync(folder, 0o777);
    const running = scene.start(1, asNobody);
    await scene.written(5);
    chmodSync(folder, 0o555);
    const ended = await running.ended;
    expect(said(ended)).toContain("it may not be written");
    expect([1, 3]).toContain(ended.code);
    expect(scene.project.hasJournal()).toBe(true);
    chmodSync(folder, 0o777);
    await expectRest();
  });
});

describe("another run", () => {
  it("that changed the state meanwhile is not overwritten", async () => {
    scene = await openScene(command, { latency: 0 });
    await scene.applyInside(1);
    scene.sandbox.faults.set({ seed: 1, rules: [{ fault: "latency", milliseconds: 40 }] });
    const before = scene.sandbox.log.count({ written: true });
    const running = scene.applyInside(2);
    await scene.written(before + 5);
    const state = readFileSync(statePath(), "utf8");
    const changed = state.replace(/"serial": \d+/, '"serial": 70');
    writeFileSync(statePath(), changed);
    const ended = await running;
    expect(said(ended)).toContain("was changed by another run");
    expect([3, 4]).toContain(ended.code);
    expect(readFileSync(statePath(), "utf8")).toBe(changed);
    await expectRest(2);
    expect(scene.project.state()?.serial).toBeGreaterThan(70);
  });

  it("that takes the lock away stops this one, and everything is found again", async () => {
    scene = await openScene(command, { latency: 150 });
    const running = scene.applyInside(1);
    await scene.written(4);
    const lock = `${statePath()}.lock`;
    const owner = JSON.parse(readFileSync(lock, "utf8"));
    rmSync(lock);
    writeFileSync(lock, JSON.stringify({ ...owner, id: "thief", pid: 4_000_000 }));
    const ended = await running;
    expect(said(ended)).toMatch(/lock/);
    expect([3, 4]).toContain(ended.code);
    expect(scene.sandbox.log.count({ written: true })).toBeLessThan(60);
    await expectRest();
  });

  it("that starts at the same time waits its turn, as do two more", async () => {
    scene = await openScene(command, { latency: 5 });
    const all = await Promise.all(Array.from({ length: 4 }, () => scene.apply(1)));
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    await expectRest();
  });
});

describe("a clock that jumps", () => {
  it.each([
    { where: "a day forward", by: 86_400_000 },
    { where: "a day back", by: -86_400_000 },
  ])("$where in the midst of a run changes nothing", async ({ by }) => {
    scene = await openScene(command, { latency: 20 });
    const file = join(scene.project.cwd, "jump.mjs");
    writeFileSync(
      file,
      `const now = Date.now; let calls = 0; Date.now = () => now() + ((calls += 1) > 20 ? ${by} : 0);\n`,
    );
    const ended = await scene.apply(1, { env: { NODE_OPTIONS: `--import=${file}` } });
    expect(ended.code, said(ended)).toBe(0);
    await expectRest();
  });
});

describe("a token that is good for a second", () => {
  it("is renewed in the midst of a run", async () => {
    scene = await openScene(command, {
      latency: 100,
      sandbox: { auth: { lifetime: 1 } },
      env: { REMIT_CLIENT_ID: DEFAULT_CLIENT.id, REMIT_CLIENT_SECRET: DEFAULT_CLIENT.secret },
    });
    const ended = await scene.applyInside(1);
    expect(ended.code, said(ended)).toBe(0);
    expect(scene.sandbox.log.count({ path: "/auth/v1/token" })).toBeGreaterThan(1);
    await expectRest();
  });
});

describe("a service that goes away", () => {
  it("for a moment is waited for", async () => {
    scene = await openScene(command);
    const running = scene.applyInside(1);
    await scene.written(8);
    const back = await goAway(700);
    const ended = await running;
    expect([0, 3], said(ended)).toContain(ended.code);
    const again = await scene.applyInside(1);
    expect(again.code, said(again)).toBe(0);
    expect(auditTenant(scene.many.wanted(1), back)).toEqual([]);
    expect(auditState(scene.many.wanted(1), scene.project)).toEqual([]);
    await back.close();
  });

  it("for long is reported, and the next apply continues", async () => {
    scene = await openScene(command, { settings: { retries: 1 } });
    const running = scene.applyInside(1);
    await scene.written(8);
    const away = goAway(3_000);
    const ended = await running;
    expect(ended.code).toBe(3);
    expect(said(ended)).toMatch(/Check that the server can be reached|apply again/);
    const back = await away;
    const again = await scene.applyInside(1);
    expect(again.code, said(again)).toBe(0);
    expect(auditTenant(scene.many.wanted(1), back)).toEqual([]);
    expect(auditState(scene.many.wanted(1), scene.project)).toEqual([]);
    await back.close();
  });

  /** The service ends, and comes back at the same place with what it held. */
  async function goAway(milliseconds: number) {
    const { sandbox } = scene;
    await sandbox.close();
    const tenant = sandbox.store.toTenant();
    await pause(milliseconds);
    return startSandbox({ tenant, port: Number(new URL(sandbox.url).port), seed: 2 });
  }
});

describe("a machine that loses its power", () => {
  it("in the midst of a line of the journal loses nothing", async () => {
    scene = await openScene(command);
    const running = scene.start(1);
    await scene.written(10);
    running.process.kill("SIGKILL");
    await running.ended;
    const journal = `${statePath()}.journal`;
    truncateSync(journal, statSync(journal).size - 40);
    await pause(60);
    const { stderr } = await expectRest();
    expect(stderr).toContain("apply/recovered");
  });
});

describe("a service that is still at work on a create when its run is killed", () => {
  it("is not asked for it again", async () => {
    scene = await openScene(command, { settings: { requestTimeout: "4s" } });
    const rule = { fault: "latency", milliseconds: 2_500, operation: "CreateResourceType" } as const;
    scene.sandbox.faults.set({ seed: 1, rules: [rule] });
    const running = scene.start(1);
    while ((scene.sandbox.faults.strikes[0] ?? 0) < 3) await pause(2);
    running.process.kill("SIGKILL");
    await running.ended;
    await scene.applyInside(1);
    expect(auditCreates(scene.sandbox)).toEqual([]);
  });
});
