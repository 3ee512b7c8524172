import { render } from "../../entry/formats.js";
import { type AppliedPlan, describeOutcome, kindNamed } from "../../entry/reports.js";
import type { Render } from "./show.js";

/** Describes the outcome of an apply once, for every format. */
export function outcomeFace(applied: AppliedPlan): Render {
  const report = describeOutcome(applied, kindNamed);
  return (form, options) => render(form, "outcome", report, options);
}
