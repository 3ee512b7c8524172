import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import options from "../../scripts/bundle.json" with { type: "json" };

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

/** The command as people have it: one bundle, each run a process of its own. */
export interface Command {
  start(argv: readonly string[], surroundings: Surroundings): Running;
  run(argv: readonly string[], surroundings: Surroundings): Promise<Ended>;
  /** The bundle, for tests that start it in their own way. */
  readonly file: string;
  close(): void;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Bundles the command of the working tree with the options of the build. */
export async function bundleCommand(entry = join(ROOT, "src", "cli", "remit.ts")): Promise<Command> {
  const folder = mkdtempSync(join(tmpdir(), "remit-command-"));
  chmodSync(folder, 0o755);
  await build({
    ...(options as BuildOptions),
    absWorkingDir: ROOT,
    entryPoints: { remit: entry },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    logLevel: "error",
  });
  const file = join(folder, "remit.mjs");
  const { PATH = "" } = process.env;

  function start(argv: readonly string[], { cwd, env = {}, through = [], user }: Surroundings): Running {
    const [program = process.execPath, ...args] = [...through, process.execPath, file, ...argv];
    const child = spawn(program, args, {
      cwd,
      env: { PATH, CI: "true", ...env },
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
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
