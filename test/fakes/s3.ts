import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { freePort } from "./freePort.js";

/** A server on this machine that speaks as S3 does. */
export interface S3Server {
  readonly url: string;
  /** The region that its signatures name. */
  readonly region: string;
  /** An instant at which it accepts signatures, for a clock that stands still. */
  readonly start: number;
  /** The name of a new, empty bucket. */
  bucket(): Promise<string>;
  /** The keys of the objects of a bucket that begin so. */
  keys(bucket: string, prefix: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The interpreter of the folder in which `.ci/run` installs moto. */
const INSTALLED = join("node_modules", ".moto", "bin", "python3");

/**
 * Moto looks at what is there and writes in two steps, so two writers at once can both win: one request is answered
 * after the other. Each is read whole before its turn, in a thread of its own: a client that was stopped while it
 * sends would hold up all others.
 */
const PROGRAM = `
import io, sys, threading
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple
answer, turn = DomainDispatcherApplication(create_backend_app), threading.Lock()
def in_turn(environ, start_response):
    environ["wsgi.input"] = io.BytesIO(environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)))
    with turn:
        return list(answer(environ, start_response))
run_simple("127.0.0.1", int(sys.argv[1]), in_turn, threaded=True)
`;

function findPython(): string | undefined {
  if (existsSync(INSTALLED)) return INSTALLED;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => existsSync(join(folder, "moto_server"))) ? "python3" : undefined;
}

/** Why this machine has no server; null where it has one. In a pipeline a missing server is a failure. */
export function missingS3(): string | null {
  if (findPython() !== undefined || GATEWAY !== undefined || process.env.CI !== undefined) return null;
  return "skipped: run `python3 -m venv node_modules/.moto && node_modules/.moto/bin/pip install 'moto[server]'`";
}

/** The program `versitygw` of a soak, which keeps its objects in a folder and checks each signature. */
const GATEWAY = process.env.REMIT_TEST_VERSITYGW;

/** Why the server lends no keys to a pipeline's identity; null where it does. */
export const NO_LENDER = GATEWAY === undefined ? null : "versitygw lends no keys";

/** Starts moto, which keeps its objects in memory, or the gateway that a soak names. */
export async function startS3(): Promise<S3Server> {
  if (GATEWAY !== undefined) return startGateway(GATEWAY);
  const python = findPython();
  if (python === undefined) throw new Error("moto is missing: .ci/run installs it");
  const { url, close } = await serve(python, (port) => ["-c", PROGRAM, port]);
  let made = 0;
  return {
    url,
    region: "eu-central-1",
    start: Date.UTC(2026, 0, 1),
    async bucket() {
      made += 1;
      const { status } = await fetch(`${url}/bucket-${made}`, { method: "PUT" });
      if (status !== 200) throw new Error(`the bucket was not made: ${status}`);
      return `bucket-${made}`;
    },
    async keys(bucket, prefix) {
      const list = `${url}/${bucket}?list-type=2&prefix=${encodeURIComponent(prefix)}`;
      const text = await (await fetch(list)).text();
      return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name = ""]) => name);
    },
    close,
  };
}

async function startGateway(program: string): Promise<S3Server> {
  // It keeps tags in the attributes of files. Beside the files (--sidecar), forty runs at once lost a lock now and then.
  const objects = mkdtempSync(join(tmpdir(), "remit-s3-"));
  const login = ["--access", "AKIDEXAMPLE", "--secret", "open-sesame", "--region", "us-east-1"];
  const { url, close } = await serve(program, (port) => [
    ...login,
    "--port",
    `127.0.0.1:${port}`,
    "posix",
    objects,
  ]);
  let made = 0;
  return {
    url,
    region: "us-east-1",
    start: Date.now(),
    async bucket() {
      made += 1;
      mkdirSync(join(objects, `bucket-${made}`));
      return `bucket-${made}`;
    },
    async keys(bucket, prefix) {
      const top = join(objects, bucket);
      const files = readdirSync(top, { recursive: true, withFileTypes: true }).filter((file) =>
        file.isFile(),
      );
      return files
        .map(({ parentPath, name }) => relative(top, join(parentPath, name)))
        .filter((key) => key.startsWith(prefix));
    },
    async close() {
      await close();
      rmSync(objects, { recursive: true, force: true });
    },
  };
}

/** Starts a server at a free port, and waits until it answers: a Python program needs some seconds. */
async function serve(
  program: string,
  argv: (port: string) => readonly string[],
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(program, argv(String(port)), {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said = `${said}${chunk}`.slice(-2_000);
  });
  await answers(url, child, () => said);
  return {
    url,
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function answers(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (child.exitCode !== null) break;
    const reply = await fetch(url).catch(() => null);
    if (reply !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${child.spawnfile} did not start: ${said()}`);
}
