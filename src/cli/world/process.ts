import { hostname } from "node:os";
import { type Context, createContext, Script } from "node:vm";
import type { Evaluate } from "../../impact/census.js";
import type { Clock } from "../../model/clock.js";
import { readVariable } from "../../model/variables.js";
import { ignoreClosed } from "./ignoreClosed.js";
import { type Input, type Output, SIGNALS, type World } from "./world.js";

const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      // A timer waits a millisecond at least.
      if (milliseconds === 0) {
        setImmediate(resolve);
        return;
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, milliseconds);
      signal?.addEventListener("abort", stop, { once: true });
    }),
};

/** A stream of the process. Node opens it at its first use, so a command that does not use it does not wait for it. */
function output(open: () => NodeJS.WriteStream): Output {
  let known: NodeJS.WriteStream | null = null;
  const stream = () => {
    known ??= ignoreClosed(open());
    return known;
  };
  return {
    write: (text) => {
      stream().write(text);
    },
    get isTerminal() {
      return stream().isTTY === true;
    },
    get columns() {
      if (stream().isTTY === true) return stream().columns > 0 ? stream().columns : 80;
      const wanted = Number(readVariable(process.env, "COLUMNS"));
      return Number.isInteger(wanted) && wanted > 0 ? wanted : Number.POSITIVE_INFINITY;
    },
    get rows() {
      return stream().isTTY === true && stream().rows > 0 ? stream().rows : 24;
    },
  };
}

function input(open: () => NodeJS.ReadStream): Input {
  return {
    get isTerminal() {
      return open().isTTY === true;
    },
    bytes: async () => {
      const parts: Buffer[] = [];
      for await (const part of open()) parts.push(part as Buffer);
      return Buffer.concat(parts);
    },
    line: async (ask, signal) => {
      await discardTyped(open());
      const { createInterface } = await import("node:readline");
      signal?.throwIfAborted();
      ask();
      const reader = createInterface({ input: open(), ...(signal && { signal }) });
      return new Promise((resolve, reject) => {
        let answered = false;
        reader.once("line", (line) => {
          answered = true;
          reader.close();
          resolve(line);
        });
        reader.once("close", () => {
          if (signal?.aborted === true) reject(signal.reason);
          else if (!answered) resolve("");
        });
      });
    },
  };
}

/**
 * Discards what was typed so far. A terminal normally gives only complete lines, so the beginning of a line would become
 * a part of the answer. In raw mode it gives everything.
 */
async function discardTyped(stream: NodeJS.ReadStream): Promise<void> {
  if (stream.isTTY !== true) return;
  let wasInterrupted = false;
  const discard = (typed: Buffer) => {
    wasInterrupted ||= typed.includes(CTRL_C);
  };
  stream.setRawMode(true);
  stream.on("data", discard);
  // One turn of the event loop begins to read, the next one has read.
  for (let turn = 0; turn < 3; turn += 1) await new Promise((next) => setImmediate(next));
  stream.off("data", discard);
  stream.pause();
  stream.setRawMode(false);
  if (wasInterrupted) process.kill(process.pid, "SIGINT");
}

/** In raw mode a terminal sends no signal for Ctrl-C but this character. */
const CTRL_C = 3;

/** The world of this process. */
export function processWorld(): World {
  return {
    stdin: input(() => process.stdin),
    stdout: output(() => process.stdout),
    stderr: output(() => process.stderr),
    env: process.env,
    cwd: process.cwd(),
    clock,
    random: Math.random,
    evaluate: evaluateInTime(),
    unique: () => crypto.randomUUID(),
    process: {
      pid: process.pid,
      host: hostname(),
      arch: `${process.platform}-${process.arch}`,
      node: process.version,
    },
    onSignal: (listener) => {
      for (const signal of SIGNALS) process.on(signal, listener);
      return () => {
        for (const signal of SIGNALS) process.off(signal, listener);
      };
    },
    leave: (code) => process.exit(code),
  };
}

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
