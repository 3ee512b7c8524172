import type { Ledger } from "./ledger.js";
import { isBlind, type Observed, ownedIn, said, selectedIn } from "./observed.js";
import { PLACES } from "./places.js";
import { isSame, withoutLater } from "./stored.js";

/** (a) Exit 0 of an apply or of the next plan means that the tenant is as the manifests say, and nothing is left to do. */
export function judgeConvergence(observed: Observed, ledger: Ledger): void {
  const { run, again } = observed;
  if (run.code === 1)
    ledger.judge("a", !/^error\[internal\]/m.test(run.stderr), "remit fails with a bug", () => run.stderr);
  if (run.code === 0) {
    const cause = `apply ends with 0, the next plan with ${again.code}`;
    ledger.judge("a", again.code === 0, cause, () => said(again));
  }
  const claim = again.code === 0 ? "plan" : run.code === 0 ? "apply" : null;
  if (claim !== null) judgeClaim(claim, observed, ledger);
  if (isFree(observed)) {
    const codes = [...new Set(said(run).match(/(?<=error\[)[^\]]+/g))].sort().join(", ");
    const cause = `a run that nothing hinders ends with ${run.code}: ${codes}`;
    ledger.judge("a", run.code === 0, cause, () => said(run));
  }
}

function judgeClaim(claim: string, observed: Observed, ledger: Ledger): void {
  const { scenario, round, meddled, after } = observed;
  for (const number of selectedIn(observed)) {
    const owned = ownedIn(round, number);
    // Where nothing can be read, what another program did since the last write is hidden.
    if (owned === null || (isBlind(observed, number) && meddled.has(number))) continue;
    const place = `${isBlind(observed, number) ? "core" : "full"}: ${PLACES[number]?.kind}`;
    const stored = after[number] ?? null;
    for (const [unit, kept] of Object.entries(owned)) {
      const holds =
        stored !== null && isSame(withoutLater(stored[unit]), kept, scenario.quirks.rewriteExpressions);
      const cause = `${claim} ends with 0 and the tenant differs: ${place} ${stored === null ? "is not there" : unit}`;
      ledger.judge("a", holds, cause, () => `${JSON.stringify(stored)} is not ${JSON.stringify(owned)}`);
    }
  }
}

/** Whether nothing hinders a run: no fault now, every guard answered, and a service that keeps what it is sent. */
function isFree({ scenario, round, memoryBefore, isLatePossible }: Observed): boolean {
  const { quirks } = scenario;
  const isObedient =
    quirks.ignoredFields === undefined && quirks.otherChoice !== true && quirks.missingRows !== true;
  const isQuiet = round.trouble.length === 0 && round.answered && round.how === "apply";
  // On core, only a person can settle a create with an unknown result.
  return isObedient && isQuiet && memoryBefore.uncertain.size === 0 && !isLatePossible;
}
