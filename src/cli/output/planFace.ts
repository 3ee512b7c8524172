import { render } from "../../entry/formats.js";
import { describePlan, kindNamed, type Plan } from "../../entry/reports.js";
import type { Render } from "./show.js";

/** A plan that is ready to be printed, and whether there is anything to do. */
export interface PlanFace {
  readonly pending: boolean;
  readonly render: Render;
}

/** Describes a plan once, for every format. */
export function planFace(plan: Plan, effect: string): PlanFace {
  const report = describePlan(plan, effect, kindNamed);
  return { pending: report.pending, render: (form, options) => render(form, "plan", report, options) };
}
