import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "./freePort.js";

/** A server on this machine that speaks as S3 does. */
export interface S3Server {
  readonly url: string;
  /** The name of a new, empty bucket. */
  bucket(): Promise<string>;
  close(): Promise<void>;
}

/** The interpreter of the folder in which `.ci/run` installs moto. */
const INSTALLED = join("node_modules", ".moto", "bin", "python3");

/** Moto looks at what is there and writes in two steps; with a thread for each request, two writers can both win. */
const PROGRAM = `
import sys
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple
run_simple("127.0.0.1", int(sys.argv[1]), DomainDispatcherApplication(create_backend_app), threaded=False)
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

/** Starts moto, which keeps its objects in memory, or the gateway that a soak names. */
export async function startS3(): Promise<S3Server> {
  const python = findPython();
  if (python === undefined && GATEWAY === undefined) throw new Error("moto is missing: .ci/run installs it");
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "remit-s3-"));
  const keys = ["--access", "AKIDEXAMPLE", "--secret", "open-sesame"];
  const [program, argv] =
    GATEWAY === undefined
      ? [python ?? "", ["-c", PROGRAM, String(port)]]
      : [GATEWAY, [...keys, "--port", `127.0.0.1:${port}`, "posix", folder]];
  const child = spawn(program, argv, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said = `${said}${chunk}`.slice(-2_000);
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(url, child, () => said);
  let made = 0;
  return {
    url,
    async bucket() {
      made += 1;
      const name = `bucket-${made}`;
      if (GATEWAY !== undefined) {
        mkdirSync(join(folder, name));
        return name;
      }
      const { status } = await fetch(`${url}/${name}`, { method: "PUT" });
      if (status !== 200) throw new Error(`the bucket was not made: ${status}`);
      return name;
    },
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for the server: a Python program needs some seconds to start. */
async function answers(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (child.exitCode !== null) break;
    const reply = await fetch(`${url}/moto-api/`).catch(() => null);
    if (reply !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`moto did not start: ${said()}`);
}
