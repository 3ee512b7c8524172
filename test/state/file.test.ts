import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Backend } from "../../src/state/backend.js";
import { fileBackend } from "../../src/state/file.js";
import { newSnapshot } from "../../src/state/snapshot.js";
import { failure, following, owner } from "../contracts/backend.js";
import { handClock } from "../fakes/handClock.js";
import { stateText } from "../fakes/stateText.js";
import { otherProcess } from "./otherProcess.js";

const VERSION = "0.1.0";
const first = following(newSnapshot("lineage", "server"), ["one"]);
const second = following(first, ["two"]);
const third = following(second, ["three"]);

let folder: string;
let path: string;
let backend: Backend;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "remit-file-"));
  path = join(folder, "state.json");
  const world = { clock: handClock(), isRunning: () => true };
  backend = fileBackend({ path, name: "state.json", version: VERSION, ...world });
});
afterEach(() => rm(folder, { recursive: true }));

describe("a state file", () => {
  it("keeps the one before it, and nothing else beside it", async () => {
    for (const snapshot of [first, second, third]) await backend.save(snapshot);
    expect(await readFile(path, "utf8")).toBe(stateText(third, VERSION));
    expect(await readFile(`${path}.backup`, "utf8")).toBe(stateText(second, VERSION));
    expect((await readdir(folder)).sort()).toEqual(["state.json", "state.json.backup"]);
  });

  it("is readable by its owner alone, as is the one before it", async () => {
    await backend.save(first);
    await chmod(path, 0o644);
    await backend.save(second);
    const modes = await Promise.all(
      [path, `${path}.backup`].map(async (file) => (await stat(file)).mode & 0o777),
    );
    expect(modes).toEqual([0o600, 0o600]);
  });

  it("that is damaged is never written over", async () => {
    await backend.save(first);
    await backend.save(second);
    await writeFile(path, "{");
    expect((await failure(backend.load())).diagnostic.code).toBe("state/damaged");
    expect((await failure(backend.save(third))).diagnostic.hint).toContain("state.json.backup");
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
    const { code, hint } = (await failure(backend.load())).diagnostic;
    expect(code).toBe("state/damaged");
    expect(hint).not.toContain("state.json.backup");
    expect(hint).toContain("move state.json away");
    await rm(path);
    expect(await backend.load()).toBeNull();
  });

  it("that another run wrote to since is not written over", async () => {
    await backend.save(first);
    await writeFile(path, stateText(second, VERSION));
    expect((await failure(backend.save(second))).diagnostic.code).toBe("state/changed");
    await backend.save(third);
    expect(await readFile(path, "utf8")).toBe(stateText(third, VERSION));
  });

  it("that is gone since is written anew", async () => {
    await backend.save(first);
    await rm(path);
    await backend.save(second);
    expect(await readFile(path, "utf8")).toBe(stateText(second, VERSION));
  });

  it("goes on from where a writer was killed between keeping the old and placing the new", async () => {
    await backend.save(first);
    await writeFile(`${path}.0000.draft`, "half of");
    await writeFile(`${path}.lock.killed.claim`, JSON.stringify(owner("taker that was killed, too")));
    const lock = await backend.lock(owner("next"), { timeout: 0 });
    await backend.save(second);
    await lock.release();
    expect((await readdir(folder)).sort()).toEqual(["state.json", "state.json.backup"]);
  });

  it("is locked by one after the other when many start at once", async () => {
    const clock = {
      now: () => 0,
      elapsed: () => 0,
      sleep: () => new Promise<void>((resolve) => setImmediate(resolve)),
    };
    let holders = 0;
    let most = 0;
    async function takeOften(id: number): Promise<void> {
      const mine = fileBackend({ path, name: "state.json", version: VERSION, clock, isRunning: () => true });
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

  it("that cannot be read for another reason is not taken for none", async () => {
    await rm(path, { force: true });
    const world = { clock: handClock(), isRunning: () => true };
    const odd = fileBackend({ path: folder, name: "state.json", version: VERSION, ...world });
    expect((await failure(odd.load())).diagnostic.code).toBe("state/unreadable");
  });
});

describe("a state file that cannot be written", () => {
  const script = (at: string, entries: number) => `
    import { fileBackend } from "src/state/file.js";
    process.on("SIGXFSZ", () => undefined);
    const clock = { now: () => 0, elapsed: () => 0, sleep: async () => undefined };
    const backend = fileBackend({ path: ${JSON.stringify(at)}, name: "state.json", version: "0.1.0", clock, isRunning: () => true });
    const address = { kind: "ResourceType", name: "one" };
    const entry = { address, key: ["app"], applied: { displayName: "x".repeat(100) }, answered: null, rewritten: [], at: "", protected: false };
    const snapshot = (serial, count) => ({
      lineage: "lineage", serial, server: "server", uncertain: {},
      entries: Object.fromEntries(Array.from({ length: count }, (_, place) => [String(place), entry])),
    });
    const tell = (error) => console.log(JSON.stringify({ code: error?.diagnostic?.code, message: error?.message, hint: error?.diagnostic?.hint }));
    try {
      const serial = ((await backend.load())?.serial ?? 0) + 1;
      await backend.save(snapshot(serial, ${entries}));
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
    expect(await readdir(join(other.folder, "kept"))).toEqual(["state.json"]);
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
    expect(await readdir(kept)).toEqual(["state.json"]);
    await chmod(kept, 0o755);
    await other.close();
  });
});
