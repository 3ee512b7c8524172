import type { Ledger } from "./ledger.js";
import { idAt, namedBy } from "./named.js";
import { isBlind, isWanted, type Observed, ownedIn, said, saysUnread, selectedIn } from "./observed.js";
import { OWNERS } from "./owners.js";
import { addressOf, framework, isLasting, MADE, PLACES, type Place, policies, risk } from "./places.js";
import { isAbout } from "./requests.js";
import type { Scenario } from "./scenario.js";
import { ADDED_TO, contains, isSame, withoutLater } from "./stored.js";

/** (a) Exit 0 of an apply or of the next plan means that the tenant is as the manifests say, and nothing is left to do. */
export function judgeConvergence(observed: Observed, ledger: Ledger): void {
  const { run, again } = observed;
  if (run.code === 1)
    ledger.judge("a", !/^error\[internal\]/m.test(run.stderr), "remit fails with a bug", () => run.stderr);
  if (run.code === 0 && again !== null && !saysUnread(observed)) {
    const cause = `apply ends with 0, the next plan with ${again.code}`;
    ledger.judge("a", again.code === 0, cause, () => said(again));
  }
  const claim = again?.code === 0 ? "plan" : run.code === 0 ? "apply" : null;
  if (claim !== null) judgeClaim(claim, observed, ledger);
  judgeTwins(observed, ledger);
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
    // Of two objects with one name, the plan is about one.
    if (PLACES[number] === MADE && observed.twinsAfter > 1) continue;
    if (owned === null || (isBlind(observed, number) && (meddled.has(number) || isSilent(number, observed))))
      continue;
    const place = `${isBlind(observed, number) ? "core" : "full"}: ${PLACES[number]?.kind}`;
    const stored = after[number] ?? null;
    for (const [unit, kept] of Object.entries(owned)) {
      // Owners that cannot be read are left as they are.
      if (unit === OWNERS && saysUnread(observed)) continue;
      const value = withoutLater(stored?.[unit]);
      const holds =
        stored !== null &&
        (ADDED_TO.has(unit)
          ? contains(value, kept)
          : isSame(value, kept, scenario.quirks.rewriteExpressions));
      const cause = `${claim} ends with 0 and the tenant differs: ${place} ${stored === null ? "is not there" : unit}`;
      ledger.judge("a", holds, cause, () => `${JSON.stringify(stored)} is not ${JSON.stringify(owned)}`);
    }
  }
}

/** Whether the service keeps something else than it is sent, and the reply to a write of the object did not show it. */
function isSilent(number: number, observed: Observed): boolean {
  const place = PLACES[number];
  const isEmpty = ({ fault }: { readonly fault: string | null }) => fault === "empty";
  const all = [...observed.sentBefore, ...observed.sent];
  return (
    !isObedient(observed.scenario) &&
    place !== undefined &&
    all.some((entry) => isEmpty(entry) && isAbout(entry, place))
  );
}

/** Nothing is created twice, as long as the service does not say that it is not there: of what remit remembers, itself. */
function judgeTwins(observed: Observed, ledger: Ledger): void {
  const { scenario, twinsBefore, twinsAfter, memoryBefore, sent, run } = observed;
  const isRemembered = memoryBefore.entries.has(addressOf(MADE));
  const wasDenied = isRemembered
    ? sent.some(({ operation, status }) => operation === "GetResourceType" && status === 404)
    : scenario.quirks.listLag !== undefined;
  const holds = twinsAfter <= Math.max(1, twinsBefore) || wasDenied;
  ledger.judge("a", holds, "a resource type is created twice", () => said(run));
}

/** Whether nothing hinders a run: no fault now, every guard answered, and a service that keeps what it is sent. */
function isFree(observed: Observed): boolean {
  const { scenario, round, before, memoryBefore, isLatePossible } = observed;
  // What was deleted cannot be created under its id again, and nothing can be made under it.
  const isGone = (place: Place | undefined): boolean =>
    place !== undefined &&
    ((isLasting(place) && before[PLACES.indexOf(place)] === null) || isGone(place.refers?.to));
  const namedAt = (number: number) => namedBy(round.wanted[number] ?? {});
  const isLost = (number: number) => isGone(PLACES[number]) || namedAt(number).some(isGone);
  // What something in the tenant names is not deleted.
  const isNamed = (place: Place) => before.some((one) => JSON.stringify(one).includes(idAt(place)));
  if (round.removed === "delete" && [...policies, risk, framework].some(isNamed)) return false;
  if ([...selectedIn(observed)].some((number) => isLost(number) && isWanted(round, number))) return false;
  // Not every kind can be deleted, and remit says so.
  const isQuiet = round.trouble.length === 0 && round.answered && round.how === "apply" && !round.prune;
  // On core, only a person can settle a create with an unknown result.
  const { existingAutomation, listLag, unlistedAutomations, hiddenFields } = scenario.quirks;
  // A list that lags may plan a create, and the read before it refuses that once (DESIGN §4).
  const isLagging = scenario.isNamed && (listLag !== undefined || unlistedAutomations === true);
  // What a profile offers is in lists, which then show what it was before the write. Rules of a policy name its steps.
  const isPartLagging = listLag !== undefined && [...selectedIn(observed)].some(hasParts);
  const isClear =
    existingAutomation !== "unknown" && !isLagging && !isPartLagging && hiddenFields === undefined;
  return isObedient(scenario) && isClear && isQuiet && memoryBefore.uncertain.size === 0 && !isLatePossible;
}

function hasParts(number: number): boolean {
  const kind = PLACES[number]?.kind;
  return kind === "AccessProfile" || kind === "Policy";
}

/** Whether the service keeps what it is sent. */
function isObedient({ quirks: { ignoredFields, otherChoice, missingRows } }: Scenario): boolean {
  return ignoredFields === undefined && otherChoice !== true && missingRows !== true;
}
