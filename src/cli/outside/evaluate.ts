import { createContext, Script } from "node:vm";
import type { Evaluate } from "../../entry/values.js";

const CALL = new Script("work()");

/** Runs work that may take too long. A timeout of `node:vm` also ends a regular expression. */
export const evaluate: Evaluate = (work, milliseconds) => {
  const started = performance.now();
  try {
    const value = CALL.runInContext(createContext({ work }), { timeout: milliseconds });
    return { value, milliseconds: performance.now() - started };
  } catch (error) {
    if (isTimeout(error)) return null;
    throw error;
  }
};

// The error may be of another realm, so its class says nothing.
function isTimeout(error: unknown): boolean {
  const isCoded = typeof error === "object" && error !== null && "code" in error;
  return isCoded && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
