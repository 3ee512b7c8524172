/* How diagnostics are printed, in every format. */

export { toGithub } from "../report/diagnostics/github.js";
export { toJson } from "../report/diagnostics/json.js";
export { toSarif } from "../report/diagnostics/sarif.js";
export { toText } from "../report/diagnostics/text.js";
export { wrap } from "../report/text/layout.js";
