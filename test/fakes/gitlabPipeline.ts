import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * What gitlab-ci-local reads from a pipeline: a list of its jobs, or the whole of it with everything resolved. Throws its message for a
 * pipeline that breaks GitLab's schema.
 */
export function readPipeline(as: "--list-json" | "--preview", pipeline: string): string {
  const folder = mkdtempSync(join(tmpdir(), "remit-gitlab-"));
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  // The linter is built for node 22; this is all that node 20 lacks of it.
  const lacking = "Set.prototype.union ??= function (other) { return new Set([...this, ...other]); };";
  const linter = join(import.meta.dirname, "..", "..", "node_modules", "gitlab-ci-local", "dist", "index.js");
  try {
    writeFileSync(join(folder, "ci.yml"), pipeline);
    git("init", "--quiet");
    git("remote", "add", "origin", "https://gitlab.example/larkspur/access.git");
    return execFileSync(
      process.execPath,
      ["--import", `data:text/javascript,${encodeURIComponent(lacking)}`, linter, as, "--file", "ci.yml"],
      { cwd: folder, encoding: "utf8", stdio: "pipe" },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
