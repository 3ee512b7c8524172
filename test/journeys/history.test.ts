import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { bundleCommand, type Command, type Ended } from "../fakes/command.js";
import { runHasty } from "../fakes/inside.js";
import { makeMany } from "../fakes/many.js";
import { makeProject } from "../fakes/project.js";

const ENTRY = fileURLToPath(new URL("../fakes/hastyRemit.ts", import.meta.url));
const APPLY = ["apply", "--yes", "--acknowledge", "unknown-current", "--lock-timeout", "600"];
const SIZE = 12;

interface ShownRecord {
  readonly hash: string;
  readonly number: number;
  readonly before: string | null;
  readonly run: string;
  readonly as: string;
  readonly steps: readonly { readonly address: string; readonly outcome: string }[];
}

/** `killElsewhere.test.ts` kills runs over the other stores, and looks at the history of each. */
describe("the history of runs", () => {
  let command: Command;
  beforeAll(async () => {
    command = await bundleCommand(ENTRY);
  });
  afterAll(() => command?.close());

  it.concurrent.each(["full", "core"] as const)(
    "has one record for each run, also for those that were killed, and no other: %s",
    async (on) => {
      const many = makeMany(SIZE, on);
      let heard = (): void => undefined;
      const sandbox = await startSandbox({
        interface: on,
        tenant: many.tenant,
        seed: 1,
        faults: { seed: 1, rules: [{ fault: "latency", method: "POST", between: [20, 60] }] },
        log: ({ written }) => {
          if (written) heard();
        },
      });
      const project = makeProject({ guards: { maxChangesPercent: 100 } });
      const env = {
        REMIT_SERVER: sandbox.url,
        REMIT_TOKEN: sandbox.token,
        REMIT_CONCURRENCY: "2",
        REMIT_REQUEST_TIMEOUT: "60s",
        HASTE: "100",
      };
      const run = (...argv: readonly string[]) => runHasty(argv, { cwd: project.cwd, env });
      async function killed(after: number): Promise<Ended> {
        const running = command.start(APPLY, { cwd: project.cwd, env });
        let writes = 0;
        heard = () => {
          writes += 1;
          if (writes === after) running.process.kill("SIGKILL");
        };
        const ended = await running.ended;
        heard = () => undefined;
        return ended;
      }
      async function history(...argv: readonly string[]): Promise<readonly ShownRecord[]> {
        const { code, stdout, stderr } = await run("history", "--format", "json", ...argv);
        expect(code, stderr).toBe(0);
        return JSON.parse(stdout).records;
      }
      try {
        project.write(many.wanted(1));
        expect(await history()).toEqual([]);
        for (const writes of [2, 1]) expect((await killed(writes)).signal).toBe("SIGKILL");
        const last = await run(...APPLY);
        const first = await history();
        const cut = first.filter(({ as }) => as === "recovery");
        expect(cut.length, last.stderr).toBeGreaterThan(0);
        expect(first.map(({ number }) => number)).toEqual(first.map((_, at) => first.length - at));
        expect(first.map(({ before }) => before)).toEqual([...first.slice(1).map(({ hash }) => hash), null]);
        expect(new Set(first.map(({ run: name }) => name)).size).toBe(first.length);

        // A run with nothing to do is not recorded.
        if (on === "full") {
          expect((await run(...APPLY)).code).toBe(0);
          expect(await history()).toEqual(first);
        }

        project.write(many.wanted(2));
        await run(...APPLY);
        const [newest, ...rest] = await history();
        expect(rest).toEqual(first);
        expect(newest?.as).toBe("apply");
        const address = newest?.steps[0]?.address ?? "";
        const about = await history(address);
        expect(about[0]?.run).toBe(newest?.run);
        expect(about.flatMap(({ steps }) => steps.map((step) => step.address))).toEqual(
          about.map(() => address),
        );
        expect((await history(newest?.run ?? "")).map(({ steps }) => steps.length)).toEqual([
          newest?.steps.length,
        ]);
        const texts = `${JSON.stringify(await history())}${(await run("history", newest?.run ?? "")).stdout}`;
        expect(texts).not.toMatch(/Team \d+ in|Members \d+|Type \d+ in/);
        expect(texts).not.toContain("secret");
      } finally {
        await sandbox.close();
        project.close();
      }
    },
    180_000,
  );
});
