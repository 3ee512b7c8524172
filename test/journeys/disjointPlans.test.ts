import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { hastyClock, runInside } from "../fakes/inside.js";
import { makeMany } from "../fakes/many.js";
import { makeProject } from "../fakes/project.js";
import { auditCreates, auditTenant } from "./kill/audit.js";
import { PLACES } from "./kill/places.js";

/** No load makes this wait for a lock too short: two hours of this machine and more. */
const PATIENT = ["--lock-timeout", "36000"];
/** Git waits ten seconds between pushes. Even so its lease is 24 s of this machine, and that of the others 30 s. */
const hasteOf = (name: string) => (name.startsWith("git") ? 5 : 1);
const MEMBERS = "EntitlementAutomation/members-";

/** Over http, git's lock is the same. */
const STORES = PLACES.filter(({ name }) => !name.startsWith("git over http"));

describe("two saved plans of different resources", () => {
  for (const { name, missing, open } of STORES)
    it.skipIf(missing !== null)(
      `are applied at once from two machines, one after the other, with the state in ${name}`,
      async () => {
        const place = await open();
        const many = makeMany(8, "full");
        const sandbox = await startSandbox({ interface: "full", tenant: many.tenant, seed: 1 });
        const machines = [0, 1].map(() => makeProject({ guards: { maxChangesPercent: 100 } }));
        try {
          const wanted = many.wanted(3);
          const state = await place.state();
          const clock = hastyClock(hasteOf(name));
          const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, HOME: "/nowhere", ...state };
          const path = process.env.PATH ?? "";
          const on = (cwd: string, argv: readonly string[]) =>
            runInside(argv, { cwd, env: { ...env, PATH: path }, clock });
          const plans = machines.map(({ cwd }) => join(cwd, "plan.json"));
          for (const [at, { cwd, write }] of machines.entries()) {
            write(wanted);
            const own = ["--target", `${MEMBERS}${at}`, "--target", `${MEMBERS}${at + 2}`];
            const planned = await on(cwd, ["plan", ...own, "--out", plans[at] ?? ""]);
            expect(planned.code, planned.stdout + planned.stderr).toBe(0);
          }
          const applied = await Promise.all(
            machines.map(({ cwd }, at) => on(cwd, ["apply", plans[at] ?? "", "--yes", ...PATIENT])),
          );
          for (const { code, stdout, stderr } of applied) expect(code, stdout + stderr).toBe(0);
          const both = wanted.filter(
            ({ kind, name }) => kind === "EntitlementAutomation" && /-[0-3]$/.test(name),
          );
          expect(both).toHaveLength(4);
          expect([...auditTenant(both, sandbox), ...auditCreates(sandbox)]).toEqual([]);
          const [first] = machines;
          const own = both.flatMap(({ name }) => ["--target", `EntitlementAutomation/${name}`]);
          const after = await on(first?.cwd ?? "", ["plan", "--detailed-exitcode", ...own]);
          expect(after.code, after.stdout + after.stderr).toBe(0);
        } finally {
          for (const { close } of machines) close();
          await sandbox.close();
          await place.close();
        }
      },
      120_000,
    );
});
