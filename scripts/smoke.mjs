// Packs the project, installs the package in an empty folder, and uses it there as a newcomer would.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "remit-smoke-"));
const run = (command, args, options = {}) =>
  execFileSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  });
const remit = (...args) => run("npx", ["--no-install", "remit", ...args]);

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
    "the package brings nothing else",
  );

  assert.match(remit("version"), /^remit \d+\.\d+\.\d+\n$/);
  remit("init");
  assert.match(remit("validate"), /the manifest is valid/);
  assert.match(remit("plan"), /Plan: 1 to set\./);
  assert.match(remit("apply", "--yes"), /Applied: 1 set\./);
  assert.match(remit("plan", "--detailed-exitcode"), /Nothing to do/);

  // A consumer's strict TypeScript takes the library's types, and the example does what its README says.
  cpSync(join(root, "examples", "plan-from-code"), folder, { recursive: true });
  symlinkSync(join(root, "node_modules", "@types"), join(folder, "node_modules", "@types"), "dir");
  symlinkSync(
    join(root, "node_modules", "undici-types"),
    join(folder, "node_modules", "undici-types"),
    "dir",
  );
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

  console.log(`smoke: ${tarball} installs alone, plans, applies, and is typed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
