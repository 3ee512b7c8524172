/* What every command loads at its start: one diagnostic as text, what makes any text harmless, its colours, its suggestions, and the mask of secrets. */

export { makeMask } from "../api/mask.js";
export { formatNotice } from "../report/diagnostics/brief.js";
export { ansi, type Paint, plain } from "../report/text/paint.js";
export { safeJson } from "../report/text/safeJson.js";
export { tame, tameLine, tameLines } from "../report/text/tame.js";
export { didYouMean, meantAddress } from "../schema/didYouMean.js";
