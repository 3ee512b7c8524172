// Packs the project, installs the package in an empty folder, and uses it there as a new user does.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkShipped } from "./shipped.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "remit-smoke-"));
// A pipeline asks for settings that were reviewed, which an empty folder does not have.
const isOfPipeline = (name) => /^(CI|GITHUB|GITLAB)(_|$)/.test(name);
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfPipeline(name)));
const run = (command, args, options = {}) =>
  execFileSync(command, args, {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  });
const remit = (...args) => run(join(folder, "node_modules", ".bin", "remit"), args);
const report = (...args) => JSON.parse(remit(...args, "--format", "json"));

try {
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
  const [tarball] = readdirSync(folder);
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "empty", private: true, type: "module" }),
  );
  run("npm", ["install", "--silent", "--no-audit", "--no-fund", `./${tarball}`]);
  assert.deepEqual(
    readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")),
    ["remit-cli"],
    "the package installs no other package",
  );
  const installed = join(folder, "node_modules", "remit-cli");
  const bundled = await checkShipped({ folder: installed, root });

  assert.match(run("npx", ["--no-install", "remit", "version"]), /^remit \d+\.\d+\.\d+\n$/);
  remit("init");
  assert.deepEqual(report("validate").diagnostics, []);
  assert.equal(report("plan").pending, true);
  assert.equal(report("apply", "--yes").outcomes.done, 1);
  assert.equal(report("plan", "--detailed-exitcode").pending, false);

  assert.equal(remit("docs", "import"), readFileSync(join(root, "docs", "import.md"), "utf8"));

  // The command copies an example from what it has itself, with the .gitignore that npm does not pack.
  remit("init", "--example", "groups", "teams");
  assert.ok(existsSync(join(folder, "teams", ".gitignore")));
  assert.equal(report("-C", "teams", "apply", "--yes").outcomes.done, 10);
  assert.equal(report("-C", "teams", "plan", "--detailed-exitcode").pending, false);

  // An example works when its folder is copied out of the package alone. npm packs no .gitignore; an apply writes one.
  const copied = join(folder, "copied");
  cpSync(join(installed, "examples", "quickstart"), copied, { recursive: true });
  assert.ok(
    existsSync(join(copied, "schemas", "config.json")),
    "its editor lines name schemas that are there",
  );
  assert.equal(report("-C", copied, "plan").pending, true);
  assert.equal(report("-C", copied, "apply", "--yes").outcomes.done, 3);
  assert.equal(report("-C", copied, "plan", "--detailed-exitcode").pending, false);
  assert.ok(existsSync(join(copied, ".remit", ".gitignore")));

  // The library's types compile in a strict TypeScript project, and the example prints what its README shows.
  cpSync(join(root, "examples", "plan-from-code"), folder, { recursive: true });
  for (const types of ["@types", "undici-types"])
    symlinkSync(join(root, "node_modules", types), join(folder, "node_modules", types), "dir");
  const strict = [
    "--strict",
    "--exactOptionalPropertyTypes",
    "--noUncheckedIndexedAccess",
    "--types",
    "node",
  ];
  const module = ["--module", "nodenext", "--target", "es2022", "--lib", "es2023", "--outDir", "out"];
  run(process.execPath, [
    join(root, "node_modules", "typescript", "bin", "tsc"),
    ...strict,
    ...module,
    "plan.ts",
  ]);
  const planned = run(process.execPath, [join("out", "plan.js"), "manifests/on-call.yaml"]);
  assert.equal(planned, "create  EntitlementAutomation/on-call  manifests/on-call.yaml:1\n");

  console.log(
    `smoke: ${tarball} installs, plans, applies and compiles; notices and SBOM: ${bundled} packages`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
