import { kindNamed } from "../../kinds/index.js";
import { render } from "../../report/forms/table.js";
import { type AppliedPlan, describeOutcome } from "../../report/outcome/describe.js";
import type { Printable } from "./show.js";

/** Describes the outcome of an apply once, for every format; `exitCode` is null where it is not known. */
export function printableOutcome(applied: AppliedPlan, exitCode: number | null): Printable {
  const report = describeOutcome(applied, kindNamed);
  return { hasSigns: false, exitCode, render: (form, options) => render(form, "outcome", report, options) };
}
