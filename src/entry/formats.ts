/* The table of output formats; what a format prints with is loaded when it is used. */

export type { FailureReport } from "../report/failure/report.js";
export type { PlanPart } from "../report/forms/part.js";
export { FORM_NAMES, type Form, type FormOptions, isForm, render } from "../report/forms/table.js";
export { code, inline } from "../report/text/escape.js";
