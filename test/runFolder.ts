import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** Makes a folder for what the workers of one run share, and removes it when the run ends. */
export default function setup({ config }: TestProject): () => void {
  const folder = mkdtempSync(join(config.env.TMPDIR ?? tmpdir(), "remit-tests-"));
  // Some tests run the command as another user.
  chmodSync(folder, 0o755);
  process.env.REMIT_TEST_FOLDER = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
