import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.js";
import { bundleCommand, type Command } from "../fakes/command.js";
import { runInside } from "../fakes/inside.js";
import { makeMany } from "../fakes/many.js";
import { missingPostgres, type PostgresServer, startPostgres } from "../fakes/postgres.js";
import { makeProject } from "../fakes/project.js";
import { auditCreates, auditTenant } from "./kill/audit.js";

const APPLY = ["apply", "--yes"];
const SIZE = 40;
/** The writes after which the runs are killed, one after the other. */
const KILLS = [1, 2, 4, 1, 3, 2];

/** Every run is a new machine: it has the manifests and the address of the state, and nothing of the run before. */
describe.skipIf(missingPostgres() !== null)(
  "applies that are killed, and whose disk is wiped each time",
  () => {
    let command: Command;
    let server: PostgresServer;
    let sandbox: Sandbox;
    let address: string;
    const many = makeMany(SIZE, "full");
    let heard = (): void => undefined;
    beforeAll(async () => {
      [command, server] = await Promise.all([bundleCommand(), startPostgres()]);
      address = await server.database();
      sandbox = await startSandbox({
        interface: "full",
        tenant: many.tenant,
        faults: { seed: 1, rules: [{ fault: "latency", method: "POST", between: [20, 60] }] },
        seed: 1,
        log: ({ written }) => {
          if (written) heard();
        },
      });
    }, 120_000);
    afterAll(async () => {
      command?.close();
      await sandbox?.close();
      await server?.close();
    });

    async function onNewMachine<T>(
      work: (surroundings: { cwd: string; env: Record<string, string> }) => Promise<T>,
    ): Promise<T> {
      const project = makeProject({ guards: { maxChangesPercent: 100 } });
      project.write(many.wanted(1));
      const env = {
        REMIT_SERVER: sandbox.url,
        REMIT_TOKEN: sandbox.token,
        REMIT_STATE: address,
        REMIT_REQUEST_TIMEOUT: "1s",
        REMIT_CONCURRENCY: "2",
      };
      try {
        return await work({ cwd: project.cwd, env });
      } finally {
        project.close();
      }
    }

    it("come to what was wanted, with nothing made twice", async () => {
      let killed = 0;
      for (const writes of KILLS) {
        const { code, signal, stdout, stderr } = await onNewMachine((surroundings) => {
          const running = command.start(APPLY, surroundings);
          let seen = 0;
          heard = () => {
            seen += 1;
            if (seen === writes) running.process.kill("SIGKILL");
          };
          return running.ended;
        });
        expect(signal, `${code}\n${stdout}${stderr}`).toBe("SIGKILL");
        killed += 1;
        const [row] = await server.run(address, "SELECT owner, turn FROM remit_lock");
        expect(row?.turn).toBeGreaterThan(0);
        // The server's clock goes on by more than a lease and a request.
        await server.run(address, "UPDATE remit_lock SET beat = beat - interval '40 seconds'");
      }
      heard = () => undefined;
      const last = await onNewMachine((surroundings) => runInside(APPLY, surroundings));
      expect(last.code, last.stderr).toBe(0);
      const plan = await onNewMachine((surroundings) =>
        runInside(["plan", "--detailed-exitcode"], surroundings),
      );
      expect(plan.code, plan.stdout).toBe(0);
      expect(killed).toBe(KILLS.length);
      expect([...auditTenant(many.wanted(1), sandbox), ...auditCreates(sandbox)]).toEqual([]);
      expect(await server.run(address, "SELECT * FROM remit_lock")).toEqual([]);
      expect(await server.run(address, "SELECT * FROM remit_journal")).toEqual([]);
      for (const { stdout, stderr } of [last, plan]) expect(stdout + stderr).not.toContain("open-sesame");
    }, 120_000);
  },
);
