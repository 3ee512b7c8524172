import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openKept, openStore } from "../../../src/cli/open/store.js";
import type { Project } from "../../../src/cli/settings/project.js";
import type { World } from "../../../src/cli/world/world.js";
import { newSnapshot } from "../../../src/state/snapshot.js";
import { failure, following, owner } from "../../contracts/store.js";
import { handClock } from "../../fakes/handClock.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "remit-link-"));
  for (const name of ["shared", "one", "two"]) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));

function storeOf(root: string) {
  return storeAt(join("..", root, "state.json"));
}

function storeAt(state: string, server: string | null = null) {
  const world = { clock: handClock(), env: {}, process: { host: "here" } } as unknown as World;
  const settings = { state: { value: state }, server: { value: server }, history: { value: 400 } };
  mkdirSync(join(folder, "project"), { recursive: true });
  return openStore(world, {
    root: join(folder, "project"),
    settings,
    env: {},
    dataFolder: ".remit",
  } as unknown as Project);
}

describe("the data folder of a project", () => {
  const made = () => existsSync(join(folder, "project", ".remit"));

  it("is made with the first lock, and keeps itself out of git", async () => {
    const store = await storeAt(join(".remit", "state.json"));
    await store.read();
    expect(made()).toBe(false);
    const lock = await store.lock(owner("run"), { timeout: 0 });
    const ignored = readFileSync(join(folder, "project", ".remit", ".gitignore"), "utf8");
    expect(ignored).toMatch(/^\/\*\n!\/schemas\/\n/m);
    await lock.release();
  });

  it("stays as it is where it exists", async () => {
    mkdirSync(join(folder, "project", ".remit"), { recursive: true });
    const store = await storeAt(join(".remit", "state.json"));
    await (await store.lock(owner("run"), { timeout: 0 })).release();
    expect(readdirSync(join(folder, "project", ".remit"))).not.toContain(".gitignore");
  });

  it.each([
    ["is not made for a state elsewhere", null, false],
    ["is made for a state elsewhere where the sandbox keeps its data in it", "sandbox", true],
  ])("%s", async (_, server, expected) => {
    await (
      await (await storeAt(join("..", "one", "state.json"), server)).lock(owner("run"), { timeout: 0 })
    ).release();
    expect(made()).toBe(expected);
  });
});

describe("the place that a state in a file is encrypted for", () => {
  it("is another one in each project of a checkout", async () => {
    mkdirSync(join(folder, ".git"));
    for (const name of ["prod", "dev"]) {
      const root = join(folder, name);
      mkdirSync(root);
      const world = { clock: handClock(), env: {}, process: { host: "here" } } as unknown as World;
      const state = { value: ".remit/state.json" };
      const settings = { state, server: { value: null }, history: { value: 400 } };
      const project = { root, settings, env: {}, dataFolder: ".remit" } as unknown as Project;
      const { encryption } = await openKept(world, project);
      expect(encryption.place).toBe(`file:${name}/.remit/state.json`);
    }
  });

  it.each([
    [join(".remit", "state.json"), "file:.remit/state.json"],
    [join(".remit", "..", "kept", "state.json"), "file:kept/state.json"],
    [join("..", "project", "state.json"), "file:state.json"],
    [join("..", "one", "state.json"), "file:state.json"],
  ])("is %s as %s, and the same as an absolute path", async (state, place) => {
    const root = join(folder, "project");
    mkdirSync(root);
    for (const value of [state, join(root, state)]) {
      const world = { clock: handClock(), env: {}, process: { host: "here" } } as unknown as World;
      const settings = { state: { value }, server: { value: null }, history: { value: 400 } };
      const { encryption } = await openKept(world, {
        root,
        settings,
        env: {},
        dataFolder: ".remit",
      } as unknown as Project);
      expect(encryption).toMatchObject({ place });
    }
  });
});

describe("a state outside the project that is a link", () => {
  const first = following(newSnapshot("lineage", "server"), ["one"]);
  const link = (root: string) =>
    symlinkSync(join(folder, "shared", "state.json"), join(folder, root, "state.json"));

  it("is kept where the link leads, with its predecessor, its lock and its journal", async () => {
    link("one");
    const lock = await (await storeOf("one")).lock(owner("run"), { timeout: 0 });
    await lock.save(first);
    await lock.save(following(first, ["two"]));
    await lock.journal.append("{}");
    const names = ["state.json", "state.json.backup", "state.json.journal", "state.json.lock"];
    expect(readdirSync(join(folder, "shared")).sort()).toEqual(names);
    expect(readdirSync(join(folder, "one"))).toEqual(["state.json"]);
    expect(lstatSync(join(folder, "one", "state.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "one", "state.json"), "utf8")).toContain('"serial": 2');
    await lock.release();
  });

  it("has one lock, whichever link leads there", async () => {
    link("one");
    link("two");
    const lock = await (await storeOf("one")).lock(owner("one"), { timeout: 0 });
    const store = await storeOf("two");
    const refused = await failure(store.lock({ ...owner("two"), pid: process.pid }, { timeout: 0 }));
    expect(refused.diagnostic.code).toBe("state/locked");
    await lock.release();
  });

  it("that leads in a circle is said to be one", async () => {
    const path = join(folder, "one", "state.json");
    symlinkSync(path, join(folder, "two", "state.json"));
    symlinkSync(join(folder, "two", "state.json"), path);
    const store = await storeOf("one");
    expect((await failure(store.read())).diagnostic.code).toBe("state/unreadable");
  });
});
