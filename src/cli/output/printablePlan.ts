import { render } from "../../entry/formats.js";
import { describePlan, kindNamed, type Plan } from "../../entry/reports.js";
import type { Printable } from "./show.js";

/** Describes a plan once, for every format. */
export function printablePlan(plan: Plan, effect: string, isDecided = true): Printable {
  const report = describePlan(plan, effect, kindNamed, isDecided);
  return {
    hasSigns: report.steps.length > 0,
    render: (form, options) => render(form, "plan", report, options),
  };
}
