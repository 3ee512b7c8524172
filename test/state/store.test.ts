import fs from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, vi } from "vitest";
import { fileStore } from "../../src/state/file.js";
import { memoryContents, memoryStore } from "../../src/state/memory.js";
import { expectTurns } from "../contracts/races.js";
import { storeContract } from "../contracts/store.js";
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

it("memory is held by one of forty that start at once", async () => {
  const contents = memoryContents();
  const sleep = () => new Promise<void>((resolve) => setImmediate(resolve));
  await expectTurns(() => memoryStore(contents, { now: () => 0, elapsed: () => 0, sleep }));
});
