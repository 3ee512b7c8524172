import { main } from "./run/main.js";
import { keepCompiled } from "./world/compiledCode.js";
import { collectEarly } from "./world/memory.js";
import { processWorld } from "./world/process.js";

/** Runs a command line in the world of this process, and sets the exit code. */
export async function start(line: readonly string[]): Promise<void> {
  collectEarly();
  keepCompiled(process.env);
  process.exitCode = await main(line, processWorld());
}
