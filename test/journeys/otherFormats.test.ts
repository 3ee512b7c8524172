import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { changedAt } from "../contracts/formats.js";
import { runHasty } from "../fakes/inside.js";
import { makeMany } from "../fakes/many.js";
import { makeProject } from "../fakes/project.js";

/** A file of another format is refused by its name, by whatever command reads it, and nothing is written. */

const many = makeMany(2, "full");
const ACKNOWLEDGED = ["--yes", "--acknowledge", "unknown-current"];
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let project: ReturnType<typeof makeProject>;
let home: string;

beforeAll(async () => {
  sandbox = await startSandbox({ interface: "full", tenant: many.tenant, seed: 1 });
  project = makeProject({ guards: { maxChangesPercent: 100 } });
  home = mkdtempSync(join(tmpdir(), "remit-home-"));
  project.write(many.wanted(1));
  expect((await run("apply", ...ACKNOWLEDGED)).code).toBe(0);
  project.write(many.wanted(2));
  expect((await run("plan", "--out", "plan.json")).code).toBe(0);
  const { lineage, server, serial } = project.state() ?? { lineage: "", server: "", serial: 0 };
  const head = {
    at: "2026-01-01T00:00:00Z",
    type: "run",
    formatVersion: 1,
    run: "killed",
    effect: "sha256:0",
  };
  writeFileSync(at("journal.json"), `${JSON.stringify({ ...head, server, lineage, serial })}\n`);
});
afterAll(async () => {
  await sandbox.close();
  project.close();
  rmSync(home, { recursive: true, force: true });
});

const at = (name: string) => join(project.cwd, name);
function run(...argv: readonly string[]) {
  const env = { REMIT_SERVER: sandbox.url, REMIT_TOKEN: sandbox.token, XDG_STATE_HOME: home, HASTE: "100" };
  return runHasty(argv, { cwd: project.cwd, env });
}
/** All that the project's folder has. */
const contents = () =>
  readdirSync(project.cwd, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "utf8")]);

const VERSIONS = [
  ["no format", undefined, "unreleased"],
  ["format 0", 0, "unreleased"],
  ["a text as its format", "one", "unreleased"],
  ["format 2", 2, "newer"],
  ["format 99", 99, "newer"],
] as const;

/** A file, where a valid text of it is, and the commands that read it. */
const FILES: readonly [name: string, source: string, about: string, ...readers: string[][]][] = [
  [
    ".remit/state.json",
    ".remit/state.json",
    "state",
    ["plan"],
    ["apply", ...ACKNOWLEDGED],
    ["state", "list"],
    ["history"],
  ],
  [".remit/state.json.journal", "journal.json", "state", ["plan"], ["apply", ...ACKNOWLEDGED]],
  ["plan.json", "plan.json", "plan", ["show", "plan.json"], ["apply", "plan.json", ...ACKNOWLEDGED]],
];

describe.each(FILES)("%s", (name, source, about, ...readers) => {
  it.each(VERSIONS)("with %s is refused by name, and nothing is written", async (_, version, outcome) => {
    const valid = readFileSync(at(source), "utf8");
    writeFileSync(at(name), changedAt(valid, ["formatVersion"], version));
    const before = contents();
    for (const argv of readers) {
      const { code, stderr } = await run(...argv);
      expect([argv, code]).toEqual([argv, 4]);
      expect(stderr).toContain(`error[${about}/${outcome}-format]`);
      expect(stderr).not.toContain("damaged");
      expect(contents()).toEqual(before);
    }
    if (name === source) writeFileSync(at(name), valid);
    else rmSync(at(name));
  });
});

it("what is left is the state and the plan as they were", async () => {
  expect((await run("apply", "plan.json", ...ACKNOWLEDGED)).code).toBe(0);
});
