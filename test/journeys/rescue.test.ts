import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { makeGitRemote } from "../fakes/gitRemote.js";
import { runHasty } from "../fakes/inside.js";
import { makeMany } from "../fakes/many.js";
import { makeProject } from "../fakes/project.js";
import { auditAsked, auditCreates } from "./kill/audit.js";

const KEY = Buffer.alloc(32, 7).toString("base64");
const APPLY = ["apply", "--yes", "--first-run", "--acknowledge", "unknown-current"];
const SIZE = 6;

describe("an apply whose remote takes no push any more", () => {
  it.each([
    { on: "core", more: {}, flags: [] },
    { on: "core", more: { REMIT_STATE_KEY: KEY }, flags: ["--json"] },
    { on: "full", more: {}, flags: ["--format", "json", "--report", "markdown=report.md"] },
  ] as const)(
    "names a file with its answers, which are brought in later: $on, $more, $flags",
    async ({ on, more, flags }) => {
      const many = makeMany(SIZE, on);
      const remote = makeGitRemote();
      const flag = join(remote.folder, "written");
      const sandbox = await startSandbox({
        interface: on,
        tenant: many.tenant,
        seed: 1,
        log: ({ written }) => {
          if (written) writeFileSync(flag, "");
        },
      });
      const home = mkdtempSync(join(tmpdir(), "remit-home-"));
      const project = makeProject({ guards: { maxChangesPercent: 100 } });
      project.write(many.wanted(1));
      const hook = join(remote.folder, "hooks", "pre-receive");
      writeFileSync(hook, `#!/bin/sh\n[ ! -e ${flag} ]\n`, { mode: 0o755 });
      const env = {
        REMIT_SERVER: sandbox.url,
        REMIT_TOKEN: sandbox.token,
        REMIT_STATE: `git:${remote.folder}#state`,
        XDG_STATE_HOME: home,
        HASTE: "100",
        ...more,
      };
      const run = (...argv: readonly string[]) => runHasty(argv, { cwd: project.cwd, env });
      try {
        const applied = await run(...APPLY, ...flags);
        const file = applied.stderr.trim().split("\n").at(-1) ?? "";
        expect([applied.code, file.startsWith(home)], applied.stderr).toEqual([3, true]);
        if (flags.length > 1) {
          expect(JSON.parse(applied.stdout).fault.hint).toContain(file);
          expect(readFileSync(join(project.cwd, "report.md"), "utf8")).toContain(file);
        }
        expect(statSync(file).mode & 0o777).toBe(0o600);
        rmSync(hook);
        const rescued = await run("state", "rescue", file);
        expect([rescued.code, rescued.stderr]).toEqual([0, rescued.stderr]);
        expect(rescued.stdout).toMatch(/^[1-9]\d* brought in/m);
        const again = await run(...APPLY);
        expect(again.code, again.stderr + again.stdout).toBe(0);
        expect(on === "full" ? auditCreates(sandbox) : auditAsked(sandbox)).toEqual([]);
        expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
        const second = await run("state", "rescue", file);
        expect(second.stdout).toMatch(/^0 brought in/m);
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
