import { type Context, createContext, Script } from "node:vm";
import type { Evaluate } from "../../impact/evaluate.js";

/** Runs work that may take too long. A timeout of `node:vm` also ends a regular expression. */
export function evaluateInTime(): Evaluate {
  let realm: { readonly context: Context; readonly call: Script } | null = null;
  return (work, milliseconds) => {
    realm ??= { context: createContext({}), call: new Script("work()") };
    const { context, call } = realm;
    const started = performance.now();
    context.work = work;
    try {
      const value = call.runInContext(context, { timeout: milliseconds });
      return { value, milliseconds: performance.now() - started };
    } catch (error) {
      if (isTimeout(error)) return null;
      throw error;
    } finally {
      context.work = undefined;
    }
  };
}

// The error may be of another realm, so its class says nothing.
function isTimeout(error: unknown): boolean {
  const isCoded = typeof error === "object" && error !== null && "code" in error;
  return isCoded && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
