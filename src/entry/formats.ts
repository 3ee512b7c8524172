/* The table of output formats; what a format prints with is loaded when it is used. */

export type { FailureReport } from "../report/failure/report.js";
export { type FormOf, type FormOptions, formsOf, isFormOf, render } from "../report/forms.js";
