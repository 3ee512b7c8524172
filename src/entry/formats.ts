/* The table of output formats; what a format prints with is loaded when it is used. */

export type { FailureReport } from "../report/failure/report.js";
export { FORM_NAMES, type Form, type FormOptions, isForm, render } from "../report/forms.js";
export type { PlanPart } from "../report/plan/part.js";
