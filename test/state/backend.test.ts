import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileBackend } from "../../src/state/file.js";
import { memoryBackend, memoryStore } from "../../src/state/memory.js";
import { backendContract } from "../contracts/backend.js";

backendContract("memory", async (clock) => {
  const store = memoryStore();
  return { open: () => memoryBackend(store, clock), close: async () => undefined };
});

backendContract("a file", async (clock) => {
  const folder = await mkdtemp(join(tmpdir(), "remit-state-"));
  const path = join(folder, ".remit", "state.json");
  const options = { path, name: ".remit/state.json", version: "0.1.0", clock, isRunning: () => true };
  return { open: () => fileBackend(options), close: () => rm(folder, { recursive: true }) };
});
