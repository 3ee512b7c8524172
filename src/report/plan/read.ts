import reportSchema from "../../../schemas/report.json" with { type: "json" };
import type { Checked } from "../../model/diagnostic.js";
import { compile } from "../../schema/compile.js";
import { readReport } from "../readReport.js";
import type { PlanReport } from "./report.js";

const check = compile(reportSchema);

/** Reads a report that `remit plan --report json=FILE` wrote; null, with the reason, for anything else. */
export function readPlanReport(text: string): Checked<PlanReport | null> {
  return readReport<PlanReport>(text, check, (why) => ({
    code: "report/malformed",
    severity: "error",
    message: `this is not the report of a plan: ${why}`,
    hint: "Write one with `remit plan --refresh-only --unmanaged --report json=night.json`.",
  }));
}
