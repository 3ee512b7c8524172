import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { runHasty } from "../fakes/inside.js";
import { makeMany } from "../fakes/many.js";
import { makeProject } from "../fakes/project.js";

/** A journal of another state lies beside a state: one command says what it is, and frees the store. */

const many = makeMany(2, "full");
const APPLY = ["apply", "--yes", "--acknowledge", "unknown-current"];
const INTENDED = JSON.stringify({
  ...{ at: "2026-01-01T00:00:00Z", type: "intended", address: { kind: "Webhook", name: "desk" } },
  ...{
    action: "create",
    key: null,
    identity: {},
    applied: {},
    protected: false,
    background: {},
    step: "1",
    call: 0,
    of: 1,
  },
  once: true,
});
const LINE = JSON.stringify({
  at: "2026-01-01T00:00:00Z",
  ...{
    type: "run",
    formatVersion: 1,
    effect: "",
    run: "other",
    server: "https://other.example",
    lineage: "other",
    serial: 0,
  },
});

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let project: ReturnType<typeof makeProject>;
let home: string;
beforeEach(async () => {
  sandbox = await startSandbox({ interface: "full", tenant: many.tenant, seed: 1 });
  project = makeProject({ guards: { maxChangesPercent: 100 } });
  home = mkdtempSync(join(tmpdir(), "remit-home-"));
  project.write(many.wanted(1));
  expect((await run(...APPLY)).code).toBe(0);
});
afterEach(async () => {
  await sandbox.close();
  project.close();
  rmSync(home, { recursive: true, force: true });
});

const journal = () => join(project.cwd, ".remit", "state.json.journal");
function run(...argv: readonly string[]) {
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, XDG_STATE_HOME: home, HASTE: "100" };
  return runHasty(argv, { cwd: project.cwd, env });
}

describe("a journal of the state itself with lines that cannot be read", () => {
  it("is refused where they may be of creates that nothing shows, until one command leaves them out", async () => {
    const { lineage, server, serial } = project.state() ?? { lineage: "", server: "", serial: 0 };
    const head = { ...JSON.parse(LINE), lineage, server, serial, effect: "sha256:0" };
    const lines = [JSON.stringify({ ...head, unseen: ["ReviewTemplate"] }), '{"at":"2026', ""].join("\n");
    writeFileSync(journal(), lines);
    const refused = await run(...APPLY);
    expect(refused.code).toBe(1);
    const said = refused.stderr.replace(/\s+/g, " ");
    expect(said).toContain("error[apply/unreadable-journal]: 1 line of the journal of .remit/state.json");
    expect(said).toContain("created objects that the service does not show: ReviewTemplate");
    expect(said).toContain("remit state unlock --set-aside");
    expect(readFileSync(journal(), "utf8")).toBe(lines);
    const freed = await run("state", "unlock", "--set-aside");
    expect(freed.stdout).toContain("the next apply settles the lines that can be read");
    expect((await run(...APPLY)).code).toBe(0);
    expect(existsSync(journal())).toBe(false);
  });

  it("is refused where nothing says which run wrote it", async () => {
    writeFileSync(journal(), `${LINE.slice(0, 40)}\n`);
    const refused = await run("plan");
    expect(refused.stderr).toContain("error[apply/unreadable-journal]: the first line of the journal");
    const freed = await run("state", "unlock", "--set-aside");
    expect(freed.code).toBe(0);
    expect(freed.stdout).toContain("Nothing in it says which run wrote it");
    expect((await run(...APPLY)).code).toBe(0);
  });

  it("is of a newer state where the state was put back, and one command takes it out of the store", async () => {
    const { lineage, server, serial } = project.state() ?? { lineage: "", server: "", serial: 0 };
    const newer = JSON.stringify({ ...JSON.parse(LINE), lineage, server, serial: serial + 3 });
    writeFileSync(journal(), `${newer}\n${INTENDED}\n`);
    const refused = await run(...APPLY);
    expect(refused.stderr).toContain("error[state/rolled-back]");
    expect(refused.stderr.replace(/\s+/g, " ")).toContain("remit state unlock --set-aside");
    const freed = await run("state", "unlock", "--set-aside");
    expect(freed.stdout).toContain("The run began with a newer state than the one that is kept.");
    expect(freed.stdout).toContain("look in the service for Webhook/desk");
    expect((await run(...APPLY)).code).toBe(0);
  });

  it("is settled by its own server alone", async () => {
    const { lineage, server, serial } = project.state() ?? { lineage: "", server: "", serial: 0 };
    const own = JSON.stringify({ ...JSON.parse(LINE), lineage, server, serial });
    writeFileSync(journal(), `${own}\n${INTENDED}\n`);
    const [state, lines] = [project.state(), readFileSync(journal(), "utf8")];
    const other = await startSandbox({ interface: "full", tenant: many.tenant, seed: 2 });
    try {
      const refused = await run(...APPLY, "--server", other.url);
      expect(refused.stderr).toContain("error[plan/other-server]");
      expect(refused.stderr).not.toContain("Webhook/desk");
      expect([project.state(), readFileSync(journal(), "utf8")]).toEqual([state, lines]);
      expect(other.log.entries({})).toEqual([]);
    } finally {
      await other.close();
    }
    const settled = await run(...APPLY);
    expect(settled.stderr).toContain("Webhook/desk: an earlier run was cut off");
  });
});

describe("a journal without a state", () => {
  beforeEach(() => rmSync(join(project.cwd, ".remit", "state.json")));

  it.each([
    ["server", {}, "apply/foreign-journal"],
    ["project", { project: "theirs", server: null }, "state/other-project"],
  ])("of another %s is not settled here, and one command takes it out of the store", async (_, of, code) => {
    const head = { ...JSON.parse(LINE), ...of };
    const lines = `${JSON.stringify({ ...head, server: head.server ?? sandbox.url })}\n${INTENDED}\n`;
    writeFileSync(journal(), lines);
    for (const command of [["plan"], APPLY]) {
      const refused = await run(...command);
      expect(refused.stderr).toContain(`error[${code}]`);
      expect(readFileSync(journal(), "utf8")).toBe(lines);
      expect(project.state()).toBeNull();
    }
    const freed = await run("state", "unlock", "--set-aside");
    expect(freed.stdout).toContain("It is of another state");
    expect(freed.stdout).toContain("look in the service for Webhook/desk");
    const applied = await run(...APPLY);
    expect(applied.code, applied.stderr).toBe(0);
  });

  it("of this server and project is settled by the next apply", async () => {
    const own = JSON.stringify({ ...JSON.parse(LINE), server: sandbox.url });
    writeFileSync(journal(), `${own}\n${INTENDED}\n`);
    expect((await run("state", "unlock", "--set-aside")).stderr).toContain("state/own-journal");
    expect((await run(...APPLY)).code).toBe(0);
    expect(existsSync(journal())).toBe(false);
  });
});

describe("a journal of another state", () => {
  it("is kept in a file by one command, and the store is free again", async () => {
    writeFileSync(journal(), `${LINE}\n`);
    const refused = await run(...APPLY);
    expect(refused.stderr).toContain("apply/foreign-journal");
    expect(refused.stderr.replace(/\s+/g, " ")).toContain("remit state unlock --set-aside");
    const freed = await run("state", "unlock", "--set-aside");
    const [, path = ""] = /is in (\S+) now/.exec(freed.stdout) ?? [];
    expect([freed.code, freed.stderr.trim()]).toEqual([0, path]);
    expect(path.startsWith(home)).toBe(true);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ lineage: "other", lines: [LINE] });
    expect((await run(...APPLY)).code).toBe(0);
    expect(existsSync(journal())).toBe(false);
  });

  it("is one of another server, too, whatever its lineage", async () => {
    const { lineage } = project.state() ?? { lineage: "" };
    const other = JSON.stringify({ ...JSON.parse(LINE), lineage });
    writeFileSync(journal(), `${other}\n`);
    expect((await run(...APPLY)).stderr).toContain("apply/foreign-journal");
    const freed = await run("state", "unlock", "--set-aside");
    expect(freed.stdout).toContain("It is of another state");
    expect((await run(...APPLY)).code).toBe(0);
  });

  it("is needed as long as it has a write without an answer", async () => {
    writeFileSync(journal(), `${LINE}\n${INTENDED}\n`);
    const freed = await run("state", "unlock", "--set-aside");
    const [, path = ""] = /is in (\S+) now/.exec(freed.stdout) ?? [];
    const { lineage } = project.state() ?? { lineage: "" };
    const kept = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...kept, lineage }));
    const brought = await run("state", "rescue", path);
    expect(brought.stdout).toContain("1 write has no answer in the file");
  });

  it("is not what the state's own journal is: that is settled by the next apply", async () => {
    const { lineage, server } = project.state() ?? { lineage: "", server: "" };
    const own = JSON.stringify({ ...JSON.parse(LINE), lineage, server });
    writeFileSync(journal(), `${own}\n`);
    const refused = await run("state", "unlock", "--set-aside");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("state/own-journal");
    expect(existsSync(journal())).toBe(true);
  });
});
