import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { bundleCommand, type Command } from "../fakes/command.js";
import { makeGitRemote } from "../fakes/gitRemote.js";
import { runHasty } from "../fakes/inside.js";
import { makeMany } from "../fakes/many.js";
import { missingPostgres, startPostgres } from "../fakes/postgres.js";
import { makeProject } from "../fakes/project.js";
import { makeSmallDisk, type SmallDisk } from "../fakes/smallDisk.js";
import { auditAsked } from "./kill/audit.js";

const ENTRY = fileURLToPath(new URL("../fakes/hastyRemit.ts", import.meta.url));
const APPLY = ["apply", "--yes", "--first-run", "--acknowledge", "unknown-current"];
const SIZE = 30;
const WRITES = 5;

/** A server that keeps the state on a disk with room for the state of the first writes, and for little more. */
const SERVERS = [
  {
    name: "git",
    missing: null,
    room: 1_500_000,
    /** Which of its files has no room left differs. */
    words: /could not store|atomic transaction failed/,
    async open({ folder }: SmallDisk) {
      const remote = makeGitRemote(folder);
      return { state: `git:${remote.folder}#state`, close: async () => remote.close() };
    },
  },
  {
    name: "PostgreSQL",
    missing: missingPostgres(),
    room: 12_000_000,
    words: /53100/,
    async open({ folder }: SmallDisk) {
      const server = await startPostgres();
      return { state: await server.database(folder), close: server.close };
    },
  },
] as const;

const trial = makeSmallDisk(1_000_000);
const mayMount = trial !== null;
trial?.close();

describe.skipIf(!mayMount)("an apply on core whose store has no room left on its disk", () => {
  let command: Command;
  beforeAll(async () => {
    command = await bundleCommand(ENTRY);
  });
  afterAll(() => command?.close());

  const cases = SERVERS.filter(({ missing }) => missing === null).flatMap((server) =>
    [true, false].map((isFreed) => ({ ...server, isFreed })),
  );
  it.each(cases)(
    "keeps every answer, in the state or in the file that it names: $name (room is made: $isFreed)",
    async ({ isFreed, room, words, open }) => {
      const disk = makeSmallDisk(room);
      if (disk === null) throw new Error("a disk could be mounted before");
      const server = await open(disk);
      const many = makeMany(SIZE, "core");
      const project = makeProject({ guards: { maxChangesPercent: 100 } });
      const home = mkdtempSync(join(tmpdir(), "remit-home-"));
      let writes = 0;
      const sandbox = await startSandbox({
        interface: "core",
        tenant: many.tenant,
        seed: 1,
        faults: { seed: 1, rules: [{ fault: "latency", method: "POST", between: [20, 40] }] },
        log: ({ written }) => {
          if (!written) return;
          writes += 1;
          if (writes === WRITES) disk.fill();
        },
      });
      const env = {
        REMIT_SERVER: sandbox.url,
        REMIT_TOKEN: sandbox.token,
        REMIT_STATE: server.state,
        REMIT_CONCURRENCY: "2",
        XDG_STATE_HOME: home,
        HASTE: "30",
      };
      const run = (...argv: readonly string[]) => runHasty(argv, { cwd: project.cwd, env });
      try {
        project.write(many.wanted(1));
        const running = command.start(APPLY, { cwd: project.cwd, env });
        const freeing = setInterval(() => {
          if (isFreed && words.test(running.printed())) disk.empty();
        }, 100);
        const applied = await running.ended;
        clearInterval(freeing);
        const file = applied.stderr.trim().split("\n").at(-1) ?? "";
        expect([applied.code, file.startsWith(home)], applied.stderr).toEqual(
          isFreed ? [0, false] : [3, true],
        );
        expect(applied.stdout + applied.stderr).toMatch(words);
        if (!isFreed) {
          disk.empty();
          const rescued = await run("state", "rescue", file);
          expect(rescued.code, rescued.stderr).toBe(0);
        }
        const again = await run(...APPLY);
        expect(again.code, again.stderr).toBe(0);
        expect(auditAsked(sandbox)).toEqual([]);
      } finally {
        await sandbox.close();
        project.close();
        disk.empty();
        await server.close();
        disk.close();
        rmSync(home, { recursive: true, force: true });
      }
    },
    120_000,
  );
});
