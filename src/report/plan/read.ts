import reportSchema from "../../../schemas/report.json" with { type: "json" };
import type { Checked } from "../../model/diagnostic.js";
import { parseJson } from "../../model/json.js";
import { formatPath } from "../../model/path.js";
import { compile } from "../../schema/compile.js";
import type { PlanReport } from "./report.js";

const check = compile(reportSchema);

/** Reads a report that `remit plan --report json=FILE` wrote; null, with the reason, for anything else. */
export function readPlanReport(text: string): Checked<PlanReport | null> {
  const value = parseJson(text);
  const [problem] = value === undefined ? [{ path: [], message: "it is not JSON" }] : check(value);
  if (problem === undefined) return { value: value as unknown as PlanReport, diagnostics: [] };
  const diagnostic = {
    code: "report/malformed",
    severity: "error",
    message: `this is not the report of a plan: ${formatPath(problem.path)} ${problem.message}`.replace(
      "  ",
      " ",
    ),
    hint: "Write one with `remit plan --refresh-only --unmanaged --report json=night.json`.",
  } as const;
  return { value: null, diagnostics: [diagnostic] };
}
