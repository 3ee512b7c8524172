import fs from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Clock } from "../../src/model/clock.js";
import { fileStore } from "../../src/state/file.js";
import { holdStore } from "../../src/state/hold.js";
import { memoryContents, memoryStore } from "../../src/state/memory.js";
import { HEAD, type Objects } from "../../src/state/objects.js";
import { counted } from "../contracts/counted.js";
import { FOLDER, folderObjects } from "../contracts/folder.js";
import { expectMoves } from "../contracts/moves.js";
import { expectTurns } from "../contracts/races.js";
import { storeContract } from "../contracts/store.js";
import { handClock } from "../fakes/handClock.js";
import { inTheClear } from "../fakes/inTheClear.js";

storeContract("memory", async (clock) => {
  const contents = memoryContents();
  return {
    open: () => memoryStore(contents, clock),
    durableWrites: () => contents.writes,
    close: async () => undefined,
  };
});

storeContract("a file", async (clock) => {
  const folder = await mkdtemp(join(tmpdir(), "remit-state-"));
  const path = join(folder, ".remit", "state.json");
  const options = { path, name: ".remit/state.json", version: "0.1.0", clock, isDead: () => false };
  const sync = vi.spyOn(fs, "fdatasync");
  syncBuiltinESMExports();
  return {
    open: () => inTheClear(fileStore(options)),
    durableWrites: () => sync.mock.calls.length,
    async close() {
      sync.mockRestore();
      syncBuiltinESMExports();
      await rm(folder, { recursive: true });
    },
  };
});

/** The driver that a new store's author reads. */
storeContract("a folder of objects", async (clock) => {
  const folder = await mkdtemp(join(tmpdir(), "remit-folder-"));
  const opening = counted((onWrite) => {
    const objects = folderObjects(folder);
    const open = (): Objects => ({
      ...objects,
      swap(name, tag, text) {
        if (name === HEAD) onWrite();
        return objects.swap(name, tag, text);
      },
    });
    return inTheClear(holdStore(open, { ...FOLDER, clock }));
  });
  return { ...opening, close: () => rm(folder, { recursive: true }) };
});

it("memory is held by one of forty that start at once", async () => {
  const contents = memoryContents();
  const sleep = () => new Promise<void>((resolve) => setImmediate(resolve));
  await expectTurns(() => memoryStore(contents, { now: () => 0, elapsed: () => 0, sleep }));
});

describe("a folder of objects", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "remit-folder-"));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const opened = (clock: Clock) => holdStore(() => folderObjects(folder), { ...FOLDER, clock });

  it("is held by one of forty that start at once", async () => {
    const sleep = () => new Promise<void>((resolve) => setImmediate(resolve));
    await expectTurns(() => inTheClear(opened({ now: () => 0, elapsed: () => 0, sleep })));
  });

  it("is moved there, back, and there again", () => expectMoves(opened(handClock())));

  it("is written in docs/stores.md as it is tested", async () => {
    const [driver, page] = await Promise.all(
      ["test/contracts/folder.ts", "docs/stores.md"].map((path) => readFile(path, "utf8")),
    );
    const code = driver?.slice(driver.indexOf("export function folderObjects"));
    expect(page).toContain(code);
  });
});
