import { execFileSync, spawn, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NOT_TIDIED } from "./checkout.js";

/** A bare repository that others push to. */
export interface GitRemote {
  readonly folder: string;
  /** Runs git in it. */
  git(...argv: readonly string[]): string;
  close(): void;
}

/** Makes a repository in a folder, as a forge makes one. */
export function makeGitRemote(within = tmpdir()): GitRemote {
  const folder = mkdtempSync(join(within, "remit-remote-"));
  const git = (...argv: readonly string[]) =>
    execFileSync("git", [`--git-dir=${folder}`, ...argv], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  cpSync(emptyRemote(), folder, { recursive: true });
  return { folder, git, close: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A bare repository without a commit, to be copied. No push tidies it up: that would start one more program each time. */
export function emptyRemote(): string {
  const { REMIT_TEST_FOLDER = tmpdir() } = process.env;
  if (empty === null) {
    empty = mkdtempSync(join(REMIT_TEST_FOLDER, "remote-"));
    execFileSync("git", ["init", "--quiet", "--bare", "--template=", empty]);
    appendFileSync(join(empty, "config"), NOT_TIDIED);
    mkdirSync(join(empty, "hooks"));
  }
  return empty;
}
let empty: string | null = null;

/** How a server of repositories answers. */
export interface GitServerOptions {
  /** What a request must have as its user and password; null where it needs none. */
  readonly login: string | null;
  /** Whether it takes pushes. */
  readonly takesPushes: boolean;
  /** May answer in the place of git, before or after git did its work; true where it did. */
  readonly fault?: (request: IncomingMessage, response: ServerResponse, when: "before" | "after") => boolean;
}

/** A server of repositories. */
export interface GitServer {
  readonly url: string;
  /** The requests so far: their method and path, and what they gave as user and password. */
  readonly requests: readonly { readonly line: string; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

/** Why this machine has no server; null where it has one. In a pipeline a missing server is a failure. */
export function missingGitServer(): string | null {
  const { status } = spawnSync("git", ["http-backend"], {
    env: { PATH: process.env.PATH ?? "" },
    stdio: "ignore",
  });
  if (status !== null || process.env.CI !== undefined) return null;
  return "skipped: install git 2.31 or newer, with git http-backend";
}

/** Serves the repositories below a folder with `git http-backend`, which is what forges and web servers run. */
export async function startGitServer(folder: string, options: GitServerOptions): Promise<GitServer> {
  const { login, takesPushes, fault = () => false } = options;
  const requests: { line: string; authorization: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://here");
    const { authorization } = request.headers;
    requests.push({ line: `${request.method} ${url.pathname}${url.search}`, authorization });
    const isPush = `${url.pathname}${url.search}`.includes("git-receive-pack");
    const wanted = login === null ? undefined : `Basic ${Buffer.from(login).toString("base64")}`;
    if (wanted !== undefined && authorization !== wanted) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="here"' }).end();
      return;
    }
    if (isPush && !takesPushes) {
      response.writeHead(403).end("this user may only read");
      return;
    }
    if (fault(request, response, "before")) return;
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    const reply = await runBackend(folder, url, request, Buffer.concat(body));
    if (fault(request, response, "after")) return;
    const end = reply.indexOf("\r\n\r\n");
    const head = reply.subarray(0, end).toString("latin1").split("\r\n");
    const headers = new Map(
      head.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
    );
    const status = Number((headers.get("Status") ?? "200").slice(0, 3));
    headers.delete("Status");
    response.writeHead(status, Object.fromEntries(headers)).end(reply.subarray(end + 4));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

function runBackend(folder: string, url: URL, request: IncomingMessage, body: Buffer): Promise<Buffer> {
  const env = {
    PATH: process.env.PATH ?? "",
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: "1",
    REMOTE_USER: "someone",
    REMOTE_ADDR: "127.0.0.1",
    REQUEST_METHOD: request.method ?? "GET",
    PATH_INFO: url.pathname,
    QUERY_STRING: url.search.slice(1),
    CONTENT_TYPE: request.headers["content-type"] ?? "",
    CONTENT_LENGTH: String(body.length),
    HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
    GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
  };
  return new Promise((done, failed) => {
    const child = spawn("git", ["http-backend"], { env, stdio: ["pipe", "pipe", "inherit"] });
    const out: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.on("error", failed);
    child.on("close", () => done(Buffer.concat(out)));
    child.stdin.on("error", () => undefined);
    child.stdin.end(body);
  });
}
