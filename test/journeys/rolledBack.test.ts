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
import { makeProject } from "../fakes/project.js";
import { auditAsked } from "./kill/audit.js";

const ENTRY = fileURLToPath(new URL("../fakes/hastyRemit.ts", import.meta.url));
const APPLY = ["apply", "--yes", "--first-run", "--acknowledge", "unknown-current", "--lock-timeout", "600"];
const STATE = "refs/remit/state";
const LOCK = "refs/remit/state-lock";
const SIZE = 30;
/** The run before has applied so many. */
const BEFORE = 3;
/** So many creates of the run were answered when its state is rolled back. */
const WRITES = 8;

describe("a state whose ref is moved back while a run creates what no one can read", () => {
  let command: Command;
  beforeAll(async () => {
    command = await bundleCommand(ENTRY);
  });
  afterAll(() => command?.close());

  it.each([
    { to: "the run before", isKilled: false },
    { to: "the run before", isKilled: true },
    { to: "nothing", isKilled: false },
    { to: "nothing", isKilled: true },
  ] as const)(
    "refuses every later run until it is put back, and sends no create twice: $to, killed: $isKilled",
    async ({ to, isKilled }) => {
      const many = makeMany(SIZE, "core");
      const remote = makeGitRemote();
      let heard = (): void => undefined;
      const sandbox = await startSandbox({
        interface: "core",
        tenant: many.tenant,
        seed: 1,
        faults: { seed: 1, rules: [{ fault: "latency", method: "POST", between: [20, 40] }] },
        log: ({ written }) => {
          if (written) heard();
        },
      });
      const home = mkdtempSync(join(tmpdir(), "remit-home-"));
      const project = makeProject({ guards: { maxChangesPercent: 100 } });
      const env = {
        REMIT_SERVER: sandbox.url,
        REMIT_TOKEN: sandbox.token,
        REMIT_STATE: `git:${remote.folder}#state`,
        REMIT_CONCURRENCY: "2",
        XDG_STATE_HOME: home,
        HASTE: "100",
      };
      const run = (...argv: readonly string[]) => runHasty(argv, { cwd: project.cwd, env });
      const at = (ref: string) => remote.git("for-each-ref", "--format=%(objectname)", ref).trim();
      /** Moves the ref of the state, and gives where it was: a push that is under way may win the first try. */
      const rollBack = (before: string): string => {
        for (let left = 100; ; left -= 1) {
          const commit = at(STATE);
          const update = to === "nothing" ? ["-d", STATE, commit] : [STATE, before, commit];
          try {
            remote.git("update-ref", ...update);
            return commit;
          } catch (error) {
            if (left === 0) throw error;
          }
        }
      };
      try {
        project.write(many.wanted(1).slice(0, BEFORE));
        expect((await run(...APPLY)).code).toBe(0);
        const before = at(STATE);

        project.write(many.wanted(1));
        // Only a run that is killed needs a process of its own.
        const killed = isKilled ? command.start(APPLY, { cwd: project.cwd, env }) : null;
        const running = killed?.ended ?? run(...APPLY);
        const newest = await new Promise<string>((resolve) => {
          let writes = 0;
          heard = () => {
            writes += 1;
            if (writes !== WRITES) return;
            killed?.process.kill("SIGKILL");
            resolve(rollBack(before));
          };
        });
        const ended = await running;
        expect(newest).not.toBe(before);
        const file = ended.stderr.trim().split("\n").at(-1) ?? "";
        if (!isKilled) expect([ended.code, file.startsWith(home)], ended.stderr).toEqual([4, true]);
        expect(at(LOCK)).not.toBe("");

        for (let round = 0; round < 2; round += 1) {
          const refused = await run(...APPLY);
          expect(refused.code, refused.stderr).toBe(4);
          expect(refused.stderr).toMatch(to === "nothing" ? /state\/lost-ref/ : /state\/rolled-back/);
          expect(refused.stderr).toContain(newest);
        }
        const planned = await run("plan");
        expect(planned.stderr + planned.stdout).toContain(newest);

        remote.git("update-ref", STATE, newest);
        if (!isKilled) expect((await run("state", "rescue", file)).code).toBe(0);
        const last = await run(...APPLY);
        expect(auditAsked(sandbox), last.stderr).toEqual([]);
        if (!isKilled) expect(last.code, last.stderr).toBe(0);
      } finally {
        await sandbox.close();
        project.close();
        remote.close();
        rmSync(home, { recursive: true, force: true });
      }
    },
    120_000,
  );
});
