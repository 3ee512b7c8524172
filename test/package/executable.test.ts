import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
// @ts-expect-error a script has no types
import { makeExecutable } from "../../scripts/release/executable.mjs";
// @ts-expect-error a script has no types
import { pinnedNode } from "../../scripts/release/node.mjs";
import { buildProject } from "../fakes/build.js";

// The pinned Node is fetched once, and a build takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const ROOT = resolve(import.meta.dirname, "..", "..");
const NOBODY = 65534;
// What is built needs the packages of the project. The program gets a folder that another user can read.
const building = mkdtempSync(join(ROOT, "node_modules", ".executable-"));
const dist = join(building, "dist");
const outside = mkdtempSync(join(tmpdir(), "remit-executable-"));
const executable = join(outside, "remit");
const built = join(dist, "remit.js");

beforeAll(async () => {
  cpSync(join(await buildProject(), "dist"), dist, { recursive: true });
  const { file: node } = pinnedNode(join(ROOT, "node_modules", ".node"));
  const work = join(building, "work");
  await makeExecutable({ root: ROOT, dist, node, work, file: executable });
  chmodSync(outside, 0o755);
  // The program alone is left of the build: it must need none of its files.
  rmSync(work, { recursive: true });
});

afterAll(() => {
  for (const folder of [building, outside]) rmSync(folder, { recursive: true, force: true });
});

/** A folder of its own, which the user of the runs owns. */
function place(example?: string): string {
  const folder = mkdtempSync(join(outside, "project-"));
  if (example !== undefined) cpSync(join(ROOT, "examples", example), folder, { recursive: true });
  rmSync(join(folder, ".remit"), { recursive: true, force: true });
  for (const name of [".", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
    if (process.getuid?.() === 0) chownSync(join(folder, name), NOBODY, NOBODY);
  return folder;
}

/** Runs the executable without any variable, and not as root. */
function run(cwd: string, ...argv: readonly string[]): SpawnSyncReturns<string> {
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  return spawnSync(executable, argv, { cwd, env: {}, encoding: "utf8", ...user });
}

const report = (cwd: string, ...argv: readonly string[]) => {
  const { stdout, stderr } = run(cwd, ...argv, "--format", "json");
  expect(stderr).toBe("");
  return JSON.parse(stdout);
};

describe("the executable, without a variable and not as root", () => {
  test("prints its version", () => {
    expect(run(outside, "version").stdout).toBe(`remit ${packageFile.version}\n`);
  });

  test("begins a project, plans and applies it, and finds nothing left", () => {
    const project = place();
    expect(run(project, "init").status).toBe(0);
    expect(report(project, "plan").pending).toBe(true);
    expect(report(project, "apply", "--yes").outcomes.done).toBe(1);
    expect(run(project, "plan", "--detailed-exitcode").status).toBe(0);
  });

  test("copies an example, and plans it", () => {
    const project = place();
    expect(run(project, "init", "--example", "groups").status).toBe(0);
    expect(run(project, "plan").stdout).toContain("10 to create, 0 to change, 0 to delete.");
  });

  test("plans and applies a company as the package does, with people, and with CEL's own types", () => {
    const project = place("company");
    const groups = join(project, "manifests", "groups.yaml");
    const rule = 'subject.department == "Finance"';
    const typed = `${rule} && type(duration("1m")) == google.protobuf.Duration`;
    writeFileSync(groups, readFileSync(groups, "utf8").replace(rule, typed));
    const argv = ["plan", "--people"];
    const expected = spawnSync(process.execPath, [built, "-C", project, ...argv], {
      env: {},
      encoding: "utf8",
    });
    const planned = run(project, ...argv);
    expect(planned.stdout).toBe(expected.stdout);
    expect(planned.stdout).toContain("people: 90 to 94 gain it, 0 lose it");
    expect(planned.stdout).toContain("Amir Costa");
    expect(planned.stderr).toBe("");
    expect(run(project, "apply", "--yes").status).toBe(0);
    expect(run(project, "plan", "--detailed-exitcode").status).toBe(0);
  });

  test("reads no module that stands beside it", () => {
    const project = place();
    for (const name of ["start.js", "main.cjs", "package.json"]) writeFileSync(join(project, name), "{{{");
    expect(run(project, "init").status).toBe(0);
  });
});
