import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { freeze, type Plan, type Thawed, thaw } from "../../entry/reports.js";
import type { Checked, Diagnostic } from "../../entry/values.js";
import { reasonOf } from "../outside/reason.js";
import type { World } from "../outside/world.js";
import { tryToWrite } from "../outside/write.js";

/** Saves a plan so that only its owner can read it: it contains all that will be sent. Gives the errors. */
export function savePlan(world: World, plan: Plan, file: string): Promise<readonly Diagnostic[]> {
  const { text } = freeze(plan);
  return tryToWrite(world, { path: resolve(world.cwd, file), shown: file, text, access: "private" });
}

/** Reads a saved plan; null, with the reason, for one that cannot be used. */
export async function readPlan(world: World, file: string): Promise<Checked<Thawed | null>> {
  try {
    const text =
      file === "-"
        ? Buffer.from(await world.stdin.bytes()).toString("utf8")
        : await readFile(resolve(world.cwd, file), "utf8");
    return thaw(text);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    const diagnostic: Diagnostic = {
      code: "plan/unreadable",
      severity: "error",
      message: `${file} cannot be read: ${reasonOf(String(error.code))}`,
      hint: "Save a plan with `remit plan --out plan.json`.",
    };
    return { value: null, diagnostics: [diagnostic] };
  }
}

/**
 * The saved plan that the paths of a command name; null where they name manifests. A manifest may be JSON, too: a file
 * that is not a plan at all is read as a manifest.
 */
export async function savedPlanAmong(
  world: World,
  paths: readonly string[],
): Promise<Checked<Thawed | null> | null> {
  const [first, ...more] = paths;
  if (first === undefined || more.length > 0 || extname(first) !== ".json") return null;
  const saved = await readPlan(world, first);
  return saved.diagnostics.some(({ code }) => code === "plan/unreadable") ? null : saved;
}
