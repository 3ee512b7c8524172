import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { face } from "../../golden/harness.js";

const SCOPE = join(import.meta.dirname, "../../golden/validate/schema-one-of-users.yaml");

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "remit-summary-"));
  file = join(folder, "summary.md");
});
afterEach(() => rmSync(folder, { recursive: true }));

const validate = (env: Readonly<Record<string, string>>) =>
  face(SCOPE, ["validate", "schema-one-of-users.yaml"], { env });

test("a job of GitHub Actions gets the result in its summary, below what other steps wrote", async () => {
  writeFileSync(file, "other\n");
  await validate({ GITHUB_STEP_SUMMARY: file });
  await validate({ GITHUB_STEP_SUMMARY: file });
  const [first, ...rest] = readFileSync(file, "utf8").split("**1 error in 1 file**");
  expect(first).toBe("other\n");
  expect(rest).toHaveLength(2);
  expect(rest[0]).toContain("schema-one-of-users.yaml");
});

test("a summary that has no room is left as it is: a longer one would not be shown at all", async () => {
  writeFileSync(file, "x".repeat(1024 * 1024 - 500));
  await validate({ GITHUB_STEP_SUMMARY: file });
  expect(readFileSync(file, "utf8")).toHaveLength(1024 * 1024 - 500);
});

test("a summary that cannot be written is a warning, and the exit code stays", async () => {
  const seen = await validate({ GITHUB_STEP_SUMMARY: folder });
  expect(seen).toContain("exit 5");
  expect(seen).toContain("The summary of the job was not written: ");
});
