import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "./freePort.js";

/** A pooler before a PostgreSQL server, in transaction mode. */
export interface Pooler {
  /** The address of the same database through the pooler. */
  through(address: string): string;
  close(): Promise<void>;
}

function findPooler(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  return folders.map((folder) => join(folder, "pgbouncer")).find((path) => existsSync(path));
}

/** Why this machine has no pooler; null where it has one. In a pipeline a missing pooler is a failure. */
export function missingPooler(): string | null {
  if (findPooler() !== undefined || process.env.CI !== undefined) return null;
  return "skipped: install pgbouncer, for example with `apt-get install pgbouncer`";
}

/** Starts PgBouncer before the server of an address; fewer connections to it than clients, so that they share. */
export async function startPooler(address: string): Promise<Pooler> {
  const program = findPooler();
  if (program === undefined) throw new Error("pgbouncer is missing: .ci/run installs it");
  const { hostname, port: server, username, password } = new URL(address);
  const folder = await mkdtemp(join(tmpdir(), "remit-pgbouncer-"));
  await chmod(folder, 0o777);
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  const settings = [
    "[databases]",
    `* = host=${hostname} port=${server} user=${username} password=${password}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 4",
    "max_client_conn = 200",
    "server_check_delay = 0",
  ];
  await writeFile(file, `${settings.join("\n")}\n`);
  await chmod(file, 0o644);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "postgres"] : [];
  const child = spawn(program, [...user, file], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said = `${said}${chunk}`.slice(-2_000);
  });
  for (let attempt = 0; !(await listens(port)); attempt += 1) {
    if (attempt > 400 || child.exitCode !== null) throw new Error(`PgBouncer did not start: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return {
    through(direct) {
      const url = new URL(direct);
      url.port = String(port);
      return url.href;
    },
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
