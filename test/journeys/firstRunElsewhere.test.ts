import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/http/server.js";
import { bundleCommand, type Command } from "../fakes/command.js";
import { hastyClock, runInside } from "../fakes/inside.js";
import { makeMany } from "../fakes/many.js";
import { makeProject } from "../fakes/project.js";
import { auditCreates, auditTenant } from "./kill/audit.js";
import { FILE, PLACES } from "./kill/places.js";

/**
 * The first run over a new store dies when its intents are kept, and nothing that it sent was done. The state has begun
 * by then: every command goes on with it.
 */

const many = makeMany(6, "full");
const APPLY = ["apply", "--yes", "--acknowledge", "unknown-current"];

let command: Command;
beforeAll(async () => {
  command = await bundleCommand();
});
afterAll(() => command?.close());

describe.each([FILE, ...PLACES])(
  "a first run that dies before its first write, with the state in $name",
  (place) => {
    it.skipIf(place.missing !== null)(
      "leaves a state that every command goes on with, once its lock is removed",
      async () => {
        const opened = await place.open();
        let heard = (): void => undefined;
        const sandbox: Sandbox = await startSandbox({
          interface: "full",
          tenant: many.tenant,
          faults: { seed: 1, rules: [{ fault: "reset", method: "POST" }] },
          seed: 1,
          log: ({ operation }) => {
            if (operation?.startsWith("Create") === true) heard();
          },
        });
        const project = makeProject({ guards: { maxChangesPercent: 100 } });
        project.write(many.wanted(1));
        const tenant = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, REMIT_CREATE_LAG: "1s" };
        const { PATH = "" } = process.env;
        const env = { PATH, ...tenant, REMIT_REQUEST_TIMEOUT: "1s", ...(await opened.state()) };
        const remit = async (code: number, ...argv: readonly string[]) => {
          const seen = await runInside(argv, { cwd: project.cwd, env, clock: hastyClock(100) });
          expect(seen.code, `${argv.join(" ")}\n${seen.stdout}${seen.stderr}`).toBe(code);
          return (seen.stdout + seen.stderr).replace(/\s+/g, " ");
        };
        try {
          const running = command.start(APPLY, { cwd: project.cwd, env });
          heard = () => running.process.kill("SIGKILL");
          const { signal, stdout, stderr } = await running.ended;
          expect(signal, stdout + stderr).toBe("SIGKILL");
          heard = () => undefined;
          sandbox.faults.set({ seed: 1, rules: [] });

          expect(await remit(0, "state", "unlock")).toContain("removed the lock of remit apply");
          await remit(0, "state", "list");
          await remit(0, "plan");
          await remit(0, ...APPLY);
          expect([...auditTenant(many.wanted(1), sandbox), ...auditCreates(sandbox)]).toEqual([]);
          expect(await remit(0, ...APPLY)).toContain("Nothing to do");
          const [address = ""] = /\w+\/\S+/.exec(await remit(0, "state", "list")) ?? [];
          await remit(0, "state", "forget", address);
          expect(await remit(0, "state", "unlock", "--set-aside")).toContain("The store has no journal.");
          await remit(0, "state", "move", `${project.cwd}/moved.state.json`);
        } finally {
          await sandbox.close();
          project.close();
          await opened.close();
        }
      },
      180_000,
    );
  },
);
