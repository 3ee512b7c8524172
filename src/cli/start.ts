import { main } from "./run/main.js";
import { collectEarly } from "./world/memory.js";
import { processWorld } from "./world/process.js";

/** Runs a command line in the world of this process, and sets the exit code. */
export async function start(line: readonly string[]): Promise<void> {
  collectEarly();
  process.exitCode = await main(line, processWorld());
}
