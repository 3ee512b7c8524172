import { processWorld } from "../cli/world/process.js";
import { main } from "./main.js";

/** Runs a command line in the world of this process, and sets the exit code. */
export async function start(line: readonly string[]): Promise<void> {
  process.exitCode = await main(line, processWorld());
}
