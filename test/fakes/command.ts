import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import options from "../../scripts/bundle.json" with { type: "json" };
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

/** The command as people have it: one bundle, each run a process of its own. */
export interface Command {
  start(argv: readonly string[], surroundings: Surroundings): Running;
  run(argv: readonly string[], surroundings: Surroundings): Promise<Ended>;
  /** The bundle, for tests that start it in their own way. */
  readonly file: string;
  close(): void;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** What a bundle is made of. */
const SOURCES = ["src", "schemas", "examples", "test/fakes"];

/**
 * Bundles the command of the working tree as the build does, with its schemas compiled. The test files of a run share
 * the bundle. Outside of a run of tests, closing the command removes it.
 */
export async function bundleCommand(entry = join(ROOT, "src", "cli", "remit.ts")): Promise<Command> {
  const { PATH = "" } = process.env;
  const shared = await once(keyOf(entry), (into) => bundle(entry, into));
  const folder = shared ?? mkdtempSync(join(tmpdir(), "remit-command-"));
  if (shared === null) await bundle(entry, folder);
  const file = join(folder, "remit.mjs");

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
    close() {
      if (shared === null) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function bundle(entry: string, folder: string): Promise<void> {
  const script = (name: string) => import(pathToFileURL(join(ROOT, "scripts", name)).href);
  const { compiledSchemas }: { compiledSchemas(root: string): Promise<Plugin> } =
    await script("compiledSchemas.mjs");
  const { broughtExamples }: { broughtExamples(root: string): Promise<Plugin> } =
    await script("examples.mjs");
  await build({
    ...(options as BuildOptions),
    absWorkingDir: ROOT,
    entryPoints: { remit: entry },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    plugins: [await compiledSchemas(ROOT), await broughtExamples(ROOT)],
    logLevel: "error",
  });
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
