import { main } from "../../src/cli/run/main.js";
import { processWorld } from "../../src/cli/world/process.js";
import { hastyClock } from "./inside.js";

/** The command, with a clock that goes as many times as fast as HASTE says: leases and pauses are short. */
process.exitCode = await main(process.argv.slice(2), {
  ...processWorld(),
  clock: hastyClock(Number(process.env.HASTE)),
});
