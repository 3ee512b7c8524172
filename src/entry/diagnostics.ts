/* Diagnostics as text for a terminal, and how long lines are wrapped. */

export { toText } from "../report/forms/terminal/diagnostics.js";
export { wrap } from "../report/text/layout.js";
