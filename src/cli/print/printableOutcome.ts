import { render } from "../../entry/formats.js";
import { type AppliedPlan, describeOutcome, kindNamed } from "../../entry/reports.js";
import type { Printable } from "./show.js";

/** Describes the outcome of an apply once, for every format. */
export function printableOutcome(applied: AppliedPlan): Printable {
  const report = describeOutcome(applied, kindNamed);
  return { hasSigns: false, render: (form, options) => render(form, "outcome", report, options) };
}
