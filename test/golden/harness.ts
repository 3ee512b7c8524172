import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect } from "vitest";
import { main } from "../../src/bin/main.js";
import type { Output, Signal, World } from "../../src/cli/world/world.js";
import { BEAT } from "../../src/state/lock.js";
import { fakeClock } from "../fakes/clock.js";
import { listen } from "../fakes/inside.js";

/** The input of a run besides its arguments. */
export interface Given {
  readonly stdin?: string | Uint8Array;
  /** Variables of the environment; in a value, `$CWD` is the folder of the run. */
  readonly env?: Readonly<Record<string, string>>;
  /** Command lines run before, in the same folder, and changes made between them; nothing of them is shown. */
  readonly before?: readonly (readonly string[] | ((cwd: string) => void))[];
  /** What a person at a terminal types when asked; without it, standard input is not a terminal. */
  readonly answer?: string;
  /** Called the first time a run waits, those before included, with what sends it a signal. */
  readonly asleep?: ((cwd: string, send: (signal: Signal) => void) => void) | undefined;
  /** Changes the copied folder before any run: what git cannot hold. */
  readonly prepare?: (cwd: string) => void | Promise<void>;
  /** Looks at the folder after the run; its text becomes part of the face. */
  readonly look?: (cwd: string) => string;
}

/**
 * Runs a command line inside this process, in a copy of a file or folder, or in an empty folder.
 * Gives its exit code, standard output and standard error.
 */
export async function face(input: string | null, argv: readonly string[], given: Given = {}): Promise<string> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "remit-face-")));
  const cwd = join(home, "project");
  try {
    mkdirSync(cwd);
    if (input !== null) {
      const target = statSync(input).isDirectory() ? cwd : join(cwd, basename(input));
      // Only a build gives the examples schemas, and what a run says must not depend on it.
      cpSync(input, target, { recursive: true, filter: (path) => !/(\.face|\/schemas)$/.test(path) });
    }
    await given.prepare?.(cwd);
    for (const earlier of given.before ?? []) {
      if (typeof earlier === "function") earlier(cwd);
      else await main(earlier, fakeWorld(cwd, listen(), listen(), { asleep: given.asleep }));
    }
    const [stdout, stderr] = [listen(), listen()];
    const code = await main(argv, fakeWorld(cwd, stdout, stderr, given));
    const parts = [
      `$ remit ${argv.join(" ")}\nexit ${code}\n`,
      part("stdout", stdout.text()),
      part("stderr", stderr.text()),
      part("afterwards", given.look?.(cwd) ?? ""),
    ];
    return parts.join("").replaceAll(home, "/home").replaceAll(MADE_UP, "$10…").replaceAll(HASH, "$10…");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** What the embedded service makes up anew in each run: ids of requests, and its port. */
const MADE_UP = /(request |"requestId":"|127\.0\.0\.1:)(?:[0-9a-f]{32}|\d{2,5})/g;

/** A hash is of the whole plan: shown, it would change every face with each word of one. */
const HASH = /(sha256(?::|&#58;))[0-9a-f]{64}/g;

/** Compares a face with the committed one; with `UPDATE=1` in the environment it is written instead, for review. */
export function expectFace(file: string, seen: string): void {
  if (process.env["UPDATE"] === "1") writeFileSync(file, seen);
  expect(existsSync(file), `${file} is missing: run with UPDATE=1 and read what was written`).toBe(true);
  expect(seen).toBe(readFileSync(file, "utf8"));
}

function part(name: string, text: string): string {
  if (text === "") return "";
  return `──── ${name}\n${text.endsWith("\n") ? text : `${text}(no line break)\n`}`;
}

function fakeWorld(cwd: string, stdout: Output, stderr: Output, given: Given): World {
  const { stdin = "", env = {}, answer, asleep } = given;
  const clock = fakeClock();
  const listeners = new Set<(signal: Signal) => void>();
  const send = (signal: Signal) => {
    for (const listener of [...listeners]) listener(signal);
  };
  return {
    stdin: {
      isTerminal: answer !== undefined,
      bytes: async () => (typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin),
      line: async (ask) => {
        ask();
        return answer ?? "";
      },
    },
    stdout,
    stderr,
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace("$CWD", cwd)])),
    cwd,
    clock: {
      ...clock,
      sleep: (milliseconds, signal) => {
        // The lock's heart rests, or time would run away with it.
        if (milliseconds === BEAT) return untilAborted(signal);
        if (clock.slept.length === 0) asleep?.(cwd, send);
        return clock.sleep(milliseconds, signal);
      },
    },
    // No wait that is drawn by lot is as long as a heartbeat.
    random: () => 0.49,
    evaluate: (work) => ({ value: work(), milliseconds: 1 }),
    unique: uniqueNames(),
    process: { pid: 4242, host: "testhost", arch: "linux-x64", node: "v20.19.0" },
    onSignal: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    leave: (code) => {
      throw new Error(`left with ${code}`);
    },
  };
}

function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function uniqueNames(): () => string {
  let count = 0;
  return () => `name-${(count += 1)}`;
}
