import { readVariable } from "../../../model/variables.js";
import type { World } from "../../world/world.js";

/** Whether standard error is a terminal that can be redrawn. */
export function isWatched({ stderr, env }: World): boolean {
  return stderr.isTerminal && readVariable(env, "CI") === undefined && readVariable(env, "TERM") !== "dumb";
}
