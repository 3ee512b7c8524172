import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const SCRIPT = join(import.meta.dirname, "..", "..", "scripts", "docs.mjs");

test("the pages about manifests, kinds, settings and commands are what their sources say; `npm run docs` makes it so", () => {
  expect(() => execFileSync(process.execPath, [SCRIPT, "--check"], { stdio: "pipe" })).not.toThrow();
});
