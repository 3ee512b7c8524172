import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The commit that is checked out, where git knows one and nothing below the folder differs from it. */
export async function commitOf(folder: string): Promise<string | null> {
  try {
    const [head, changes] = await Promise.all([
      run("git", ["rev-parse", "--verify", "HEAD"], { cwd: folder }),
      run("git", ["status", "--porcelain", "--untracked-files=normal", "--", "."], { cwd: folder }),
    ]);
    return changes.stdout.trim() === "" ? head.stdout.trim() : null;
  } catch {
    return null;
  }
}
