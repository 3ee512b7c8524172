import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { once } from "./once.js";

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * Builds the package, once in a run of tests; gives the folder of what was built, which no test may change. A pipeline that
 * has just built the project says so with REMIT_TEST_BUILT: then that build is copied.
 */
export async function buildProject(): Promise<string> {
  const built = await once("built", async (into) => {
    if (process.env.REMIT_TEST_BUILT !== undefined) copyBuilt(into);
    else
      execFileSync(process.execPath, [join(ROOT, "scripts", "build.mjs"), "--into", into], { stdio: "pipe" });
  });
  if (built === null) throw new Error("the package is built in a run of tests");
  return built;
}

/** Copies what a build wrote into the project, without what a run of the command compiled. */
function copyBuilt(into: string): void {
  const schemas = readdirSync(join(ROOT, "examples")).map((name) => join("examples", name, "schemas"));
  const written = ["dist", "THIRD_PARTY_NOTICES", "sbom.cdx.json", ...schemas];
  for (const name of written.filter((path) => existsSync(join(ROOT, path))))
    cpSync(join(ROOT, name), join(into, name), {
      recursive: true,
      filter: (path) => !/\/compiled-[^/]*$/.test(path),
    });
}
