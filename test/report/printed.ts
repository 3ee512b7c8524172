import { renderPlanText } from "../../src/report/forms/terminal/plan.js";
import type { PlanReport } from "../../src/report/plan/report.js";
import { plain } from "../../src/report/text/paint.js";
import type { PlanPart } from "../../src/report/view/sections.js";
import { viewOf } from "../../src/report/view/view.js";

type Options = Parameters<typeof renderPlanText>[1] & { readonly part: PlanPart };

/** A plan at a terminal of 80 columns, without colour. */
export function printed(report: PlanReport, { part = "whole", ...more }: Partial<Options> = {}): string {
  const view = viewOf(report, "risk", part);
  return renderPlanText(view, { columns: 80, paint: plain, verbose: false, legend: false, ...more });
}
