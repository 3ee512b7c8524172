import { judgeConvergence } from "./convergence.js";
import type { Ledger } from "./ledger.js";
import type { Observed } from "./observed.js";
import { judgeOwnership } from "./ownership.js";
import { judgeSelection } from "./selection.js";
import { judgeSending } from "./sending.js";
import { judgeSight } from "./sight.js";

/** Judges one run by every law. */
export function judgeRun(observed: Observed, ledger: Ledger): void {
  judgeConvergence(observed, ledger);
  judgeOwnership(observed, ledger);
  judgeSelection(observed, ledger);
  judgeSight(observed, ledger);
  judgeSending(observed, ledger);
}
