// Packs the project, installs the package in an empty folder, and runs it there as a newcomer would.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "remit-smoke-"));
const run = (command, args, options = {}) =>
  execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], ...options });

try {
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder]);
  const [tarball] = readdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true }));
  run("npm", ["install", "--silent", "--no-audit", "--no-fund", `./${tarball}`], { cwd: folder });
  const remit = (...args) => run("npx", ["--no-install", "remit", ...args], { cwd: folder });

  assert.match(remit("version"), /^remit \d+\.\d+\.\d+\n$/);
  console.log(`smoke: ${tarball} installs and runs`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
