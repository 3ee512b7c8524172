import reportSchema from "../../../schemas/report.json" with { type: "json" };
import type { Checked } from "../../model/diagnostic.js";
import { compile } from "../../schema/compile.js";
import { say } from "../../words/say.js";
import { readReport } from "../readReport.js";
import type { PlanReport } from "./report.js";

const check = compile(reportSchema);

/** Reads a report that `remit plan --report json=FILE` wrote; null, with the reason, for anything else. */
export function readPlanReport(text: string): Checked<PlanReport | null> {
  return readReport<PlanReport>(text, check, (why) => say("report/malformed#plan", { why }));
}
