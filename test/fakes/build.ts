import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { once } from "./once.js";

const ROOT = join(import.meta.dirname, "..", "..");

/** Builds the package, once in a run of tests; gives the folder of what was built, which no test may change. */
export async function buildProject(): Promise<string> {
  const built = await once("built", async (into) => {
    // Inside the project, so that the source maps have no reason to name the folders above it.
    const folder = mkdtempSync(join(ROOT, "node_modules", ".build-"));
    try {
      const line = [join(ROOT, "scripts", "build.mjs"), "--into", join(folder, "built")];
      execFileSync(process.execPath, line, { stdio: "pipe" });
      cpSync(join(folder, "built"), into, { recursive: true });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  if (built === null) throw new Error("the package is built in a run of tests");
  return built;
}
