import { render } from "../../entry/formats.js";
import { type AppliedPlan, describeOutcome, kindNamed } from "../../entry/reports.js";
import type { Render } from "./show.js";

/** Describes once what an apply came to, for each format that it is then asked for. */
export function outcomeFace(applied: AppliedPlan): Render {
  const report = describeOutcome(applied, kindNamed);
  return (form, options) => render(form, "outcome", report, options);
}
