import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { World } from "../../../src/cli/outside/world.js";
import type { Project } from "../../../src/cli/project/project.js";
import { openStore } from "../../../src/cli/project/store.js";
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
  const world = { clock: handClock(), env: {}, process: { host: "here" } } as unknown as World;
  const settings = { state: { value: join("..", root, "state.json") } };
  mkdirSync(join(folder, "project"), { recursive: true });
  return openStore(world, { root: join(folder, "project"), settings } as unknown as Project);
}

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
