import { askedFor } from "../../../src/kinds/interface.js";
import type { Entry as Request } from "../../../src/sandbox/log.js";
import type { Entry } from "../../../src/state/snapshot.js";
import type { Ledger } from "./ledger.js";
import { isBlind, type Observed, ownedIn, said } from "./observed.js";
import { addressOf, PLACES, type Place } from "./places.js";
import { isAbout, showed } from "./requests.js";
import { keyOf } from "./selection.js";

/**
 * (d) Each write to an object that is there follows a read of it, or an answered write that the state records. Otherwise
 * it is acknowledged, or permitted as a first write. A create that replaced what was not seen is reported.
 */
export function judgeSight(observed: Observed, ledger: Ledger): void {
  const { before, sent, run, round } = observed;
  for (const [number, place] of PLACES.entries()) {
    const stored = before[number] ?? null;
    if (isBlind(observed, number) && observed.memoryBefore.uncertain.has(addressOf(place))) {
      const again = sent.filter(({ operation }) => operation === "CreateAutomation");
      const isSentAgain = again.some((entry) => isAbout(entry, place));
      ledger.judge("d", !isSentAgain, "core: a create with an unknown result is sent again", () => said(run));
    }
    const write = sent.find((entry) => entry.method !== "GET" && isAbout(entry, place));
    if (write === undefined || stored === null) continue;
    const blind = isBlind(observed, number);
    const on = blind ? "core" : "full";
    const wasRead = sent.some((entry) => entry.sequence < write.sequence && showed(entry, place));
    const record = observed.memoryBefore.entries.get(addressOf(place));
    const isSeen = blind ? wasAnswered(record) : wasRead;
    // What can be read and could not be is blocked: no answer makes it seen.
    const isPermitted = blind && (round.answered || isFirstWrite(number, place, observed));
    const detail = () => `${addressOf(place)}: ${JSON.stringify(stored)}; ${said(run)}`;
    const cause = `${on}: ${write.operation} overwrites what was not seen`;
    ledger.judge("d", isSeen || isPermitted, cause, detail);

    // What remit itself made a moment ago is not older than the request, as far as a header of whole seconds tells.
    const wasMade = observed.sentBefore.some(
      (entry) => /^Create/.test(entry.operation ?? "") && isAbout(entry, place),
    );
    if (write.operation === "CreateAutomation" && !(blind && isSeen) && isAnswered(write) && !wasMade) {
      const isReported = said(run).includes("[apply/replaced]") && (round.answered || run.code === 3);
      ledger.judge("d", isReported, `${on}: a create that replaced an automation is not reported`, detail);
    }
    if (write.operation === "SetScopeAndEntitlements" && blind) {
      const owned = ownedIn(round, number) ?? {};
      const half = ["scope", "entitlements"].filter((unit) => !(unit in owned)).join();
      const replaced = `core: SetScopeAndEntitlements overwrites the ${half} that the manifest does not write`;
      ledger.judge("d", half === "" || round.answered, replaced, detail);
    }
  }
}

/** Whether the reply to a write came as the service sent it. */
function isAnswered({ status, delivered, fault }: Request): boolean {
  return status === 200 && delivered && (fault === null || fault === "quirks");
}

function wasAnswered(record: Entry | undefined): boolean {
  return record !== undefined && (record.answered !== null || Object.keys(record.applied).length > 0);
}

/** Whether `firstWrite: allow` permits a write: of a key without a record, of which nothing shows that it exists. */
function isFirstWrite(number: number, place: Place, { scenario, memoryBefore }: Observed): boolean {
  const { entries, existing, uncertain, isLost } = memoryBefore;
  const isExplicit = askedFor(scenario.asked, place.kind) === "core";
  const isUnknown = !entries.has(addressOf(place)) && !uncertain.has(addressOf(place)) && !isLost;
  return scenario.firstWrite === "allow" && isExplicit && isUnknown && !existing.has(keyOf(number) ?? "");
}
