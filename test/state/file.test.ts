import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileStore } from "../../src/state/file.js";
import { newSnapshot } from "../../src/state/snapshot.js";
import type { Lock, Store } from "../../src/state/store.js";
import { AT_ONCE, expectTurns } from "../contracts/races.js";
import { expectManyRows, MANY_ROWS } from "../contracts/rows.js";
import { failure, following, owner } from "../contracts/store.js";
import { handClock } from "../fakes/handClock.js";
import { inTheClear } from "../fakes/inTheClear.js";
import { stateText } from "../fakes/stateText.js";
import { otherProcess } from "./otherProcess.js";

const VERSION = "0.1.0";
const first = following(newSnapshot("lineage", "server"), ["one"]);
const second = following(first, ["two"]);
const third = following(second, ["three"]);

let folder: string;
let path: string;
let store: Store;
let lock: Lock;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "remit-file-"));
  path = join(folder, "state.json");
  const world = { clock: handClock(), isDead: () => false };
  store = inTheClear(fileStore({ path, name: "state.json", version: VERSION, ...world }));
  lock = await store.lock(owner("run"), { timeout: 0 });
});
afterEach(async () => {
  await lock.release();
  await rm(folder, { recursive: true, force: true });
});

describe("a state file", () => {
  it(`takes ${MANY_ROWS.words}`, async () => {
    await lock.release();
    await expectManyRows(store);
  });

  it("keeps the one before it, and nothing else beside it", async () => {
    for (const snapshot of [first, second, third]) await lock.save(snapshot);
    expect(await readFile(path, "utf8")).toBe(stateText(third, VERSION));
    expect(await readFile(`${path}.backup`, "utf8")).toBe(stateText(second, VERSION));
    expect((await readdir(folder)).sort()).toEqual(["state.json", "state.json.backup", "state.json.lock"]);
  });

  it("is locked also where something beside it cannot be removed", async () => {
    await lock.release();
    await mkdir(`${path}.other.draft`);
    lock = await store.lock(owner("next"), { timeout: 0 });
    await lock.save(first);
    expect((await store.read()).snapshot?.serial).toBe(first.serial);
  });

  it("is readable by its owner alone, as is the one before it", async () => {
    await lock.save(first);
    await chmod(path, 0o644);
    await lock.save(second);
    const modes = await Promise.all(
      [path, `${path}.backup`].map(async (file) => (await stat(file)).mode & 0o777),
    );
    expect(modes).toEqual([0o600, 0o600]);
  });

  it("that is damaged is never written over", async () => {
    await lock.save(first);
    await lock.save(second);
    await writeFile(path, "{");
    expect((await failure(store.read())).diagnostic.code).toBe("state/damaged");
    expect((await failure(lock.save(third))).diagnostic.hint).toContain("state.json.backup");
    expect(await readFile(path, "utf8")).toBe("{");
    expect(await readFile(`${path}.backup`, "utf8")).toBe(stateText(first, VERSION));
  });

  it.each([
    { what: "none", kept: null },
    { what: "a damaged one", kept: "{" },
    {
      what: "one of a newer format",
      kept: stateText(first, VERSION).replace('"formatVersion": 1', '"formatVersion": 9'),
    },
  ])("that is damaged beside $what says what does work", async ({ kept }) => {
    await writeFile(path, "{");
    if (kept !== null) await writeFile(`${path}.backup`, kept);
    const { code, hint } = (await failure(store.read())).diagnostic;
    expect(code).toBe("state/damaged");
    expect(hint).not.toContain("state.json.backup");
    expect(hint).toContain("move state.json away");
    await rm(path);
    expect((await store.read()).snapshot).toBeNull();
  });

  it("that another run wrote to since is not written over", async () => {
    await lock.save(first);
    await writeFile(path, stateText(second, VERSION));
    expect((await failure(lock.save(second))).diagnostic.code).toBe("state/changed");
    await lock.save(third);
    expect(await readFile(path, "utf8")).toBe(stateText(third, VERSION));
  });

  it("that is gone since is written anew", async () => {
    await lock.save(first);
    await rm(path);
    await lock.save(second);
    expect(await readFile(path, "utf8")).toBe(stateText(second, VERSION));
  });

  it("goes on from where a writer was killed between keeping the old and placing the new", async () => {
    await lock.save(first);
    await writeFile(`${path}.0000.draft`, "half of");
    await writeFile(`${path}.lock.killed.claim`, JSON.stringify(owner("taker that was killed, too")));
    await store.unlock();
    await lock.release();
    lock = await store.lock(owner("next"), { timeout: 0 });
    await lock.save(second);
    await lock.release();
    expect((await readdir(folder)).sort()).toEqual(["state.json", "state.json.backup"]);
  });

  it("is locked by one after the other when many start at once", async () => {
    const clock = {
      now: () => 0,
      elapsed: () => 0,
      sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 2)),
    };
    await lock.release();
    let holders = 0;
    let most = 0;
    async function takeOften(id: number): Promise<void> {
      const mine = inTheClear(
        fileStore({ path, name: "state.json", version: VERSION, clock, isDead: () => false }),
      );
      for (let round = 0; round < 30; round += 1) {
        const lock = await mine.lock(owner(`${id}-${round}`), { timeout: 1 });
        holders += 1;
        most = Math.max(most, holders);
        await clock.sleep();
        holders -= 1;
        await lock.release();
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, id) => takeOften(id)));
    expect(most).toBe(1);
  });

  it(`is held by one of ${AT_ONCE} that start at once`, async () => {
    const sleep = () => new Promise<void>((resolve) => setTimeout(resolve, 10));
    const clock = { now: () => 0, elapsed: () => 0, sleep };
    await lock.release();
    const options = { path, name: "state.json", version: VERSION, clock, isDead: () => false };
    await expectTurns(() => inTheClear(fileStore(options)), AT_ONCE);
  });

  it("that cannot be read for another reason does not count as missing", async () => {
    await rm(path, { force: true });
    const world = { clock: handClock(), isDead: () => false };
    const odd = inTheClear(fileStore({ path: folder, name: "state.json", version: VERSION, ...world }));
    expect((await failure(odd.read())).diagnostic.code).toBe("state/unreadable");
  });
});

describe("a state file that cannot be written", () => {
  const script = (at: string, entries: number) => `
    import { fileStore } from "src/state/file.js";
    process.on("SIGXFSZ", () => undefined);
    const clock = { now: () => 0, elapsed: () => 0, sleep: () => new Promise(() => undefined) };
    const store = fileStore({ path: ${JSON.stringify(at)}, name: "state.json", version: "0.1.0", clock, isDead: () => true });
    const entry = (name) => ({ address: { kind: "ResourceType", name }, key: [name], applied: { displayName: "x".repeat(100) }, answered: null, rewritten: [], at: "", protected: false });
    const snapshot = (serial, count) => ({
      lineage: "lineage", serial, server: "server", applying: null, wasRead: false, lastApplied: {}, uncertain: {}, existing: {},
      entries: Object.fromEntries(Array.from({ length: count }, (_, place) => ["ResourceType:" + place, entry(String(place))])),
    });
    const tell = (error) => console.log(JSON.stringify({ code: error?.diagnostic?.code, message: error?.message, hint: error?.diagnostic?.hint }));
    try {
      const lock = await store.lock({ id: "run", host: "here", pid: 1, command: "", since: "", job: null, user: null }, { timeout: 0 });
      const serial = ((await store.read()).snapshot?.serial ?? 0) + 1;
      await lock.save(snapshot(serial, ${entries}));
      tell({ message: "saved " + serial });
    } catch (error) { tell(error); }
  `;

  it("for a disk that fills half way says so, and leaves the old one whole", async () => {
    const other = await otherProcess();
    const at = join(other.folder, "kept", "state.json");
    expect(await other.run(script(at, 3))).toMatchObject({ message: "saved 1" });
    const before = await readFile(at, "utf8");
    const said = await other.run(script(at, 2000), { fileBlocks: 64 });
    expect(said).toMatchObject({
      code: "state/unwritable",
      message: expect.stringContaining("the disk is full"),
    });
    expect(said).toMatchObject({ hint: expect.stringContaining("untouched") });
    expect(await readFile(at, "utf8")).toBe(before);
    expect(await readdir(join(other.folder, "kept"))).toEqual(["state.json", "state.json.lock"]);
    await other.close();
  });

  it("for a folder that is read-only says so, and leaves the old one whole", async () => {
    const other = await otherProcess();
    const kept = join(other.folder, "kept");
    const at = join(kept, "state.json");
    await other.run(script(at, 3));
    await chmod(at, 0o644);
    await chmod(kept, 0o555);
    const user = process.getuid?.() === 0 ? { user: 65_534 } : {};
    const said = await other.run(script(at, 4), user);
    expect(said).toMatchObject({
      code: "state/unwritable",
      message: expect.stringContaining("may not be written"),
    });
    expect(await readdir(kept)).toEqual(["state.json", "state.json.lock"]);
    await chmod(kept, 0o755);
    await other.close();
  });
});
