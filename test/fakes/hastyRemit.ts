import { main } from "../../src/bin/main.js";
import { processWorld } from "../../src/cli/world/process.js";
import { dieAt } from "./dieAt.js";
import { hastyClock } from "./inside.js";

/** A short life, where DIE_AT says after how many dealings with disk, network and programs it ends. */
dieAt(process.env);

/** Runs a line with a clock that goes as many times as fast as HASTE says: leases and pauses are short. */
export async function start(line: readonly string[]): Promise<void> {
  const world = processWorld();
  const { RUN } = process.env;
  process.exitCode = await main(line, {
    ...world,
    // What the run calls itself begins as RUN says.
    ...(RUN !== undefined && { unique: () => RUN + world.unique().slice(RUN.length) }),
    clock: hastyClock(Number(process.env.HASTE)),
  });
}
