import { render } from "../../entry/formats.js";
import { describePlan, hidePeople, kindNamed, type Plan } from "../../entry/reports.js";
import type { NamesPeople } from "./namesPeople.js";
import type { Printable } from "./show.js";

/** Describes a plan once for every format; where people are named on the terminal alone, a second time without names. */
export function printablePlan(plan: Plan, effect: string, names: NamesPeople, isDecided = true): Printable {
  const report = describePlan(plan, effect, kindNamed, isDecided);
  const isHidden = names !== "everywhere" && plan.impact !== null;
  const hidden = isHidden ? describePlan(hidePeople(plan), effect, kindNamed, isDecided) : report;
  return {
    hasSigns: report.steps.length > 0,
    render: (form, options, reader) =>
      render(form, "plan", reader === "terminal" && names !== "nowhere" ? report : hidden, options),
  };
}
