import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox } from "../../src/sandbox/server.js";
import { bundleCommand, type Command } from "../fakes/command.js";
import { makeMany } from "../fakes/many.js";
import { makeProject } from "../fakes/project.js";
import { auditCreates, auditTenant } from "./kill/audit.js";
import { PLACES } from "./kill/places.js";

const ENTRY = fileURLToPath(new URL("../fakes/hastyRemit.ts", import.meta.url));
const APPLY = ["apply", "--yes", "--lock-timeout", "600"];
/** Milliseconds of more than two leases of the slowest store, by the hasty clock. */
const TWO_LEASES = 2_500;
/** The others time their leases by another clock, or have none. */
const PAUSED = PLACES.filter(({ name }) => name === "git by a path");

describe("a holder that is stopped for two leases", () => {
  let command: Command;
  beforeAll(async () => {
    command = await bundleCommand(ENTRY);
  }, 120_000);
  afterAll(() => command?.close());

  for (const { name, missing, open } of PAUSED) {
    it.skipIf(missing !== null)(
      `loses its lock to another run and sends nothing more, with the state in ${name}`,
      async () => {
        const place = await open();
        const many = makeMany(30, "full");
        let heard = (): void => undefined;
        let writes = 0;
        const sandbox = await startSandbox({
          interface: "full",
          tenant: many.tenant,
          faults: { seed: 1, rules: [{ fault: "latency", method: "POST", between: [20, 60] }] },
          seed: 1,
          log: ({ written }) => {
            if (!written) return;
            writes += 1;
            heard();
          },
        });
        const project = makeProject({ guards: { maxChangesPercent: 100 } });
        project.write(many.wanted(1));
        const tenant = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, REMIT_CONCURRENCY: "2" };
        const env = { ...tenant, REMIT_REQUEST_TIMEOUT: "60s", HASTE: "100", ...(await place.state()) };
        const start = () => command.start(APPLY, { cwd: project.cwd, env });
        try {
          const holder = start();
          await new Promise<void>((stopped) => {
            heard = () => {
              if (writes !== 4) return;
              holder.process.kill("SIGSTOP");
              stopped();
            };
          });
          heard = () => undefined;
          await pause(TWO_LEASES);
          const next = await start().ended;
          expect(next.code, next.stdout + next.stderr).toBe(0);
          const before = writes;
          holder.process.kill("SIGCONT");
          const ended = await holder.ended;
          // Some of its steps were done before, and 4 wins over 3.
          expect(ended.code, ended.stdout + ended.stderr).toBe(4);
          expect(ended.stdout + ended.stderr).toContain("state/lock-lost");
          expect(writes).toBe(before);
          expect([...auditTenant(many.wanted(1), sandbox), ...auditCreates(sandbox)]).toEqual([]);
        } finally {
          project.close();
          await sandbox.close();
          await place.close();
        }
      },
      120_000,
    );
  }
});
