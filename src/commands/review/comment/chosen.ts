import { readNamedFile } from "../../../cli/world/namedFile.js";
import type { World } from "../../../cli/world/world.js";
import { type Checked, type Diagnostic, refuse } from "../../../model/diagnostic.js";
import { isObject, parseJson } from "../../../model/json.js";
import { say } from "../../../words/say.js";
import { namedIn } from "./files.js";
import { placeFault } from "./origin.js";

/**
 * The files to post. With the report of the run, it decides: the report itself where the run came to an outcome or failed,
 * and the plan where the run saved one. So no pipeline looks whether a file exists.
 */
export async function choosePosted(
  world: World,
  files: readonly string[],
  run: string | undefined,
): Promise<Checked<readonly string[] | null>> {
  if (run === undefined) return { value: files, diagnostics: [] };
  const [plan, ...more] = files;
  if (plan === undefined || more.length > 0) return refuse(ONE_FILE);
  const fault = placeFault(world, run);
  if (fault !== null) return refuse(fault);
  const read = await readNamedFile(world, run);
  if (read.text === null) return refuse(say("plan/unreadable#unreadable", { file: run, why: read.why }));
  const report = parseJson(read.text);
  if (isObject(report) && report.failure === "waiting") return { value: [], diagnostics: [] };
  if (isOfPlan(report)) {
    // An apply that had nothing to do saves no plan.
    const isIdle = isObject(report) && report.pending === false && !(await isThere(world, plan));
    return { value: isIdle ? [] : [plan], diagnostics: [] };
  }
  const { given } = namedIn(world, plan);
  return { value: [given === null ? run : `${given}=${run}`], diagnostics: [] };
}

async function isThere(world: World, plan: string): Promise<boolean> {
  return (await readNamedFile(world, namedIn(world, plan).file)).text !== null;
}

/** Whether a run came to a plan: it made one, or it found another than was expected and applied nothing. */
function isOfPlan(report: unknown): boolean {
  if (!isObject(report) || "outcomes" in report) return false;
  if (!("failure" in report)) return true;
  const { diagnostics } = report;
  return Array.isArray(diagnostics) && diagnostics.some((one) => isObject(one) && one.code === UNEXPECTED);
}

/** The plan has another effect than `--expect` names. */
const UNEXPECTED = "plan/unexpected";

const ONE_FILE: Diagnostic = say("command/usage#oneFile");
