import { formatKey } from "../../../src/model/key.js";
import type { Ledger } from "./ledger.js";
import { chosenIn, isWanted, type Observed, said, selectedIn } from "./observed.js";
import { addressOf, PLACES } from "./places.js";
import { isAbout, showed } from "./requests.js";

/** (c) What is not selected is not written, and stays as it is in the tenant and in the state. */
export function judgeSelection(observed: Observed, ledger: Ledger): void {
  const { round, before, after, memoryBefore, memoryAfter, sent, sentBefore, isLatePossible } = observed;
  const selected = selectedIn(observed);
  for (const [number, place] of PLACES.entries()) {
    if (selected.has(number)) continue;
    const address = addressOf(place);
    const why = `${isWanted(round, number) ? "not selected" : "without a manifest"} (${round.by})`;
    const writes = sent.filter((entry) => entry.method !== "GET" && isAbout(entry, place));
    ledger.judge("c", writes.length === 0, `an object is written, ${why}`, () => JSON.stringify(writes));

    const [old, now] = [before[number] ?? null, after[number] ?? null].map((one) => JSON.stringify(one));
    const wasLate = [...sentBefore, ...sent].some((entry) => entry.fault === "late" && isAbout(entry, place));
    const appearedLate = isLatePossible && (before[number] === null || wasLate);
    const tenant = () => `${address}: ${old} became ${now}`;
    ledger.judge("c", appearedLate || old === now, `the tenant changes, ${why}`, tenant);

    const [noted, known] = [memoryBefore.entries.get(address), memoryAfter.entries.get(address)];
    if (noted === undefined) continue;
    const isDropped = known === undefined && mayBeDropped(number, observed);
    const state = () =>
      `${address}: ${JSON.stringify(noted)} became ${JSON.stringify(known)}; ${said(observed.run)}`;
    ledger.judge(
      "c",
      isDropped || JSON.stringify(noted) === JSON.stringify(known),
      `the state changes, ${why}`,
      state,
    );
  }
}

/** A removed object leaves the state where that is decided, or where the service says that it is gone; remit names it. */
function mayBeDropped(number: number, observed: Observed): boolean {
  const { round, before, sent, run } = observed;
  const place = PLACES[number];
  if (place === undefined || isWanted(round, number) || chosenIn(round) !== null) return false;
  if (!said(run).includes(addressOf(place))) return false;
  if (round.removed === "forget" || round.removed === "delete") return true;
  const isGone =
    before[number] === null || sent.some((entry) => entry.status === 404 && isAbout(entry, place));
  return isGone && sent.some((entry) => showed(entry, place));
}

/** The name by which the state knows an object whose id the author writes. */
export function keyOf(number: number): string | null {
  const place = PLACES[number];
  if (place === undefined || place.path === null) return null;
  return formatKey(place.kind, Object.values(place.identity).map(String));
}
