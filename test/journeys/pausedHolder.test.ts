import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_FAULTS } from "../../src/sandbox/faults/plan.js";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { bundleCommand, type Command, type Running } from "../fakes/command.js";
import { runHasty, type Seen } from "../fakes/inside.js";
import { makeMany } from "../fakes/many.js";
import { makeProject } from "../fakes/project.js";
import { auditCreates, auditTenant } from "./kill/audit.js";
import { type KillPlace, type OpenPlace, PLACES } from "./kill/places.js";

const ENTRY = fileURLToPath(new URL("../fakes/hastyRemit.ts", import.meta.url));
/** A lease of two minutes takes six seconds: a holder on a slow machine still renews it in time. */
const HASTE = 20;
/** By the hasty clock half an hour of this machine: no load makes it too short. */
const APPLY = ["apply", "--yes", "--lock-timeout", "36000"];
/** Milliseconds of this machine for two leases: of 120 s in git, and of at most 30 s elsewhere. */
const twoLeases = (name: string) => (2 * (name.startsWith("git") ? 120_000 : 30_000)) / HASTE;

/** The stopped process is alive, so its lock is not that of a dead process: only its silence counts. */
const FILE: KillPlace = {
  name: "a file",
  missing: null,
  open: async () => ({
    state: async () => ({}),
    takesOver: true,
    outwait: async () => undefined,
    close: async () => undefined,
  }),
};
/** Over http, git's lock is the same. */
const STORES = [FILE, ...PLACES].filter(({ name }) => name !== "git over http, encrypted");

interface Stage {
  readonly place: OpenPlace;
  readonly env: Readonly<Record<string, string>>;
  /** An apply that is stopped while the reply to its fourth write is under way. */
  readonly holder: Running;
  /** Another run, on the same machine. */
  run(argv: readonly string[]): Promise<Seen>;
  /** The writes to the tenant so far. */
  writes(): number;
  /** What is wrong with what was made. */
  audit(): readonly string[];
}

/** The stores go on side by side: most of the time, a run waits for the lease of a stopped one. */
describe.concurrent("a holder that is stopped for two leases", () => {
  let command: Command;
  beforeAll(async () => {
    command = await bundleCommand(ENTRY);
  });
  afterAll(() => command?.close());

  async function staged(open: KillPlace["open"], work: (stage: Stage) => Promise<void>): Promise<void> {
    const place = await open();
    const many = makeMany(30, "full");
    const sandbox = await startSandbox({
      interface: "full",
      tenant: many.tenant,
      seed: 1,
      // The log has a write before its reply begins, and the reply comes in pieces.
      faults: { seed: 1, rules: [{ fault: "slow", method: "POST", milliseconds: 100 }] },
    });
    const writes = () => sandbox.log.count({ written: true });
    const project = makeProject({ guards: { maxChangesPercent: 100 } });
    project.write(many.wanted(1));
    // One call at a time: while the reply to one is under way, no other is about to leave.
    const tenant = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, REMIT_CONCURRENCY: "1" };
    const env = { ...tenant, REMIT_REQUEST_TIMEOUT: "60s", HASTE: String(HASTE), ...(await place.state()) };
    const run = (argv: readonly string[]) => runHasty(argv, { cwd: project.cwd, env });
    const holder = command.start(APPLY, { cwd: project.cwd, env });
    try {
      await new Promise<void>((stopped, failed) => {
        const watching = setInterval(() => {
          if (writes() < 4) return;
          holder.process.kill("SIGSTOP");
          clearInterval(watching);
          sandbox.faults.set(NO_FAULTS);
          stopped();
        }, 1);
        void holder.ended.then(({ stdout, stderr }) => {
          clearInterval(watching);
          failed(new Error(`it ended: ${stdout}${stderr}`));
        });
      });
      await work({
        place,
        env,
        holder,
        run,
        writes,
        audit: () => [...auditTenant(many.wanted(1), sandbox), ...auditCreates(sandbox)],
      });
    } finally {
      holder.process.kill("SIGKILL");
      project.close();
      await sandbox.close();
      await place.close();
    }
  }

  /** A plan that is made meanwhile. No store can show yet that the holder is dead: its process is not. */
  async function seesHolder(run: Stage["run"], holder: Running, name: string): Promise<void> {
    const { code, stdout, stderr } = await run(["plan"]);
    expect(code, stdout + stderr).toBe(0);
    const said = stderr.replace(/\s+/g, " ");
    expect(said).toContain("warning[plan/being-changed]");
    expect(said).toContain(`is being changed by remit apply (process ${holder.process.pid} on `);
    expect(said).not.toContain("the next apply will record this");
    expect(said.includes("state/open")).toBe(name !== FILE.name);
  }

  for (const { name, missing, open } of STORES.filter(({ name }) => !name.startsWith("GitLab")))
    it.skipIf(missing !== null)(
      `loses its lock to another run and writes nothing more, with the state in ${name}`,
      () =>
        staged(open, async ({ place, env, holder, run, writes, audit }) => {
          await seesHolder(run, holder, name);
          await pause(twoLeases(name));
          const running = run(APPLY);
          let isOver = false;
          void running.then(() => {
            isOver = true;
          });
          // What the holder had sent may reach a store late; then its lease begins anew.
          while (!isOver) {
            await place.outwait(env);
            await pause(200);
          }
          const next = await running;
          expect(next.code, next.stdout + next.stderr).toBe(0);
          const before = writes();
          holder.process.kill("SIGCONT");
          const ended = await holder.ended;
          // Some of its steps were done before, and 4 wins over 3.
          expect(ended.code, ended.stdout + ended.stderr).toBe(4);
          expect(ended.stdout + ended.stderr).toContain("state/lock-lost");
          expect(writes()).toBe(before);
          expect(audit()).toEqual([]);
        }),
      400_000,
    );

  /** That store cannot show that a holder is dead: its lock is the server's own and has no lease. */
  for (const { name, missing, open } of STORES.filter(({ name }) => name.startsWith("GitLab")))
    it.skipIf(missing !== null)(
      `keeps its lock, and ends its work when it goes on, with the state in ${name}`,
      () =>
        staged(open, async ({ holder, run, writes, audit }) => {
          await seesHolder(run, holder, name);
          await pause(twoLeases(name));
          const before = writes();
          const next = await run(["apply", "--yes", "--lock-timeout", "0"]);
          expect(next.stderr).toContain("state/locked");
          expect(next.stderr).toContain(`process ${holder.process.pid}`);
          expect(writes()).toBe(before);
          holder.process.kill("SIGCONT");
          const ended = await holder.ended;
          expect(ended.code, ended.stdout + ended.stderr).toBe(0);
          expect(audit()).toEqual([]);
        }),
      400_000,
    );
});
