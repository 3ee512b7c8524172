import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { once } from "./once.js";

/** How a process ended: by itself with a code, or by a signal. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the command that was started, and may be killed. */
export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What it has printed so far. */
  readonly printed: () => string;
}

/** Where and how a process of the command is started. */
export interface Surroundings {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What runs it: a shell that sets a limit first, say; it is given node and its arguments. */
  readonly through?: readonly string[];
  /** The number of the user it runs as. */
  readonly user?: number;
}

/** The command as people have it, each run a process of its own. */
export interface Command {
  start(argv: readonly string[], surroundings: Surroundings): Running;
  run(argv: readonly string[], surroundings: Surroundings): Promise<Ended>;
  /** The first file, for tests that start it in their own way. */
  readonly file: string;
  close(): void;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** What a bundle is made of. */
const SOURCES = ["src", "schemas", "examples", "test/fakes"];

/**
 * Builds the command of the working tree, or one with another module that starts a line. The test files of a run share it,
 * and what was compiled of it. Outside of a run of tests, closing the command removes it.
 */
export async function bundleCommand(entry = join(ROOT, "src", "bin", "start.ts")): Promise<Command> {
  const { PATH = "" } = process.env;
  const shared = await once(keyOf(entry), (into) => bundle(entry, into));
  const folder = shared ?? mkdtempSync(join(tmpdir(), "remit-command-"));
  if (shared === null) await bundle(entry, folder);
  const file = join(folder, "remit.js");

  function start(argv: readonly string[], { cwd, env = {}, through = [], user }: Surroundings): Running {
    const [program = process.execPath, ...args] = [...through, process.execPath, file, ...argv];
    const child = spawn(program, args, {
      cwd,
      env: { PATH, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      ...(user === undefined ? {} : { uid: user }),
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
    return { process: child, ended, printed: () => stdout + stderr };
  }

  return {
    file,
    start,
    run: (argv, surroundings) => start(argv, surroundings).ended,
    close() {
      if (shared === null) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function bundle(entry: string, folder: string): Promise<void> {
  const script = pathToFileURL(join(ROOT, "scripts", "command.mjs")).href;
  const { buildCommand }: { buildCommand(places: object): Promise<unknown> } = await import(script);
  await buildCommand({ root: ROOT, into: folder, entry });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  chmodSync(folder, 0o755);
}

/** The name of what is made of an entry: another one after a change of the sources, so that watched tests run what is there. */
function keyOf(entry: string): string {
  const changes = SOURCES.flatMap((folder) => {
    const files = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
    return files.map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs);
  });
  const text = JSON.stringify([entry, changes.length, Math.max(...changes)]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
