import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { main } from "../../src/bin/main.js";
import type { Output, World } from "../../src/cli/world/world.js";
import type { Clock } from "../../src/model/clock.js";

/** What is seen of a run from outside. */
export interface Seen {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Where a command line runs; with an answer, its standard input is a terminal where each question gets that answer. An
 * answer may be a function, which is called at the question. With a terminal, its output is one of that size.
 */
export interface Surroundings extends Pick<World, "cwd" | "env"> {
  readonly clock?: Clock;
  readonly answer?: string | (() => string);
  readonly terminal?: Pick<Output, "columns" | "rows">;
  readonly unique?: () => string;
}

/** Runs a command line inside this process, in a folder and against real sockets. */
export async function runInside(
  argv: readonly string[],
  { cwd, env, clock = hastyClock(1), answer, terminal, unique = randomUUID }: Surroundings,
): Promise<Seen> {
  const [stdout, stderr] = [listen(terminal), listen(terminal)];
  const world: World = {
    stdin: {
      isTerminal: answer !== undefined,
      bytes: async () => new Uint8Array(),
      async line(ask) {
        ask?.();
        return typeof answer === "function" ? answer() : (answer ?? "");
      },
    },
    stdout,
    stderr,
    env,
    cwd,
    clock,
    random: Math.random,
    evaluate: (work) => ({ value: work(), milliseconds: 1 }),
    unique,
    process: { pid: process.pid, host: hostname(), arch: "linux-x64", node: process.version },
    onSignal: () => () => undefined,
    leave: (code) => {
      throw new Error(`left with ${code}`);
    },
  };
  const code = await main(argv, world);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Runs a command line inside this process as `hastyRemit.ts` runs it in one of its own: HASTE says how fast its clock goes. */
export function runHasty(
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Seen> {
  const { PATH = "" } = process.env;
  const { RUN = "" } = env;
  const clock = hastyClock(Number(env.HASTE));
  const unique = () => RUN + randomUUID().slice(RUN.length);
  return runInside(argv, { cwd, env: { PATH, ...env }, clock, unique });
}

/** Real time, so many times as fast: a wait of a second takes 20 ms at a haste of 50. */
export function hastyClock(haste: number): Clock {
  return {
    now: () => Date.now(),
    elapsed: () => performance.now() * haste,
    async sleep(milliseconds, signal) {
      await pause(milliseconds / haste, undefined, signal === undefined ? {} : { signal });
    },
  };
}

/** A stream that leads to a file, or to a terminal of that size, and gives what was written to it. */
export function listen(terminal?: Pick<Output, "columns" | "rows">): Output & { text(): string } {
  let heard = "";
  return {
    isTerminal: terminal !== undefined,
    ...(terminal ?? { columns: 80, rows: 24 }),
    write: (text) => {
      heard += text;
    },
    text: () => heard,
  };
}
