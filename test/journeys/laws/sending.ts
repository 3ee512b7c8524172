import type { Json, JsonObject } from "../../../src/model/json.js";
import type { Ledger } from "./ledger.js";
import { isBlind, type Observed, ownedIn, said, saysUnread, selectedIn } from "./observed.js";
import { OWNERS } from "./owners.js";
import { addressOf, PLACES } from "./places.js";
import { isAbout, sentIn } from "./requests.js";
import { ADDED_TO, contains, isSame, withoutLater, withoutStray } from "./stored.js";

/**
 * (e) After exit 0, each owned unit was sent with all its values, or the service was seen to have it. After exit 3, that
 * holds as well, or the output names the object. Any other exit is a refusal, and says why.
 */
export function judgeSending(observed: Observed, ledger: Ledger): void {
  const { run } = observed;
  if (run.code !== 0 && run.code !== 3) {
    const says = /^\s*(error\[|! )/m.test(run.stdout + run.stderr);
    ledger.judge("e", says, `exit ${run.code} without a diagnostic`, () => said(run));
    return;
  }
  for (const number of selectedIn(observed)) {
    const place = PLACES[number];
    const owned = ownedIn(observed.round, number);
    if (place === undefined || owned === null) continue;
    const isNamed = run.code === 3 && isReported(run.stdout + run.stderr, addressOf(place));
    for (const [unit, kept] of Object.entries(owned)) {
      // No read shows that such a list is empty.
      if (kept === undefined && ADDED_TO.has(unit)) continue;
      if (unit === OWNERS && saysUnread(observed)) continue;
      const holds =
        isNamed ||
        wasSent(number, unit, kept, observed) ||
        wasThere(number, unit, kept, observed) ||
        cameTogether(number, unit, kept, observed);
      const on = isBlind(observed, number) ? "core" : "full";
      const cause = `${on}: exit ${run.code}, ${place.kind} ${unit} is in no request (${kept === undefined ? "cleared" : "set"})`;
      ledger.judge("e", holds, cause, () => `${JSON.stringify(kept)}; ${said(run)}`);
    }
  }
}

function isReported(text: string, address: string): boolean {
  return text.split("\n").some((line) => /^[?✗!↷·] /u.test(line) && line.includes(address));
}

function wasSent(number: number, unit: string, kept: Json | undefined, observed: Observed): boolean {
  const place = PLACES[number];
  if (place === undefined) return false;
  return [...observed.sentBefore, ...observed.sent]
    .filter((entry) => entry.method !== "GET" && isAbout(entry, place))
    .map(sentIn)
    .some((body) => {
      if (!(unit in body)) return false;
      return kept === undefined ? isSame(withoutStray(body[unit]), undefined) : contains(body[unit], kept);
    });
}

/** Whether each item of a list was sent by itself, or was there. */
function cameTogether(number: number, unit: string, kept: Json | undefined, observed: Observed): boolean {
  if (kept === undefined || (unit !== "rules" && unit !== OWNERS && !ADDED_TO.has(unit))) return false;
  const before = observed.before[number]?.[unit];
  const { ordered } = kept as JsonObject;
  const items = (Array.isArray(ordered) ? ordered : kept) as readonly Json[];
  return items.every((item) => {
    const alone = ordered === undefined ? [item] : { ordered: [item] };
    return wasSent(number, unit, alone, observed) || contains(before, alone);
  });
}

/** Whether the tenant had the value; where nothing can be read, whether the reply to a write of that unit showed it. */
function wasThere(number: number, unit: string, kept: Json | undefined, observed: Observed): boolean {
  const { scenario, before, memoryBefore } = observed;
  const place = PLACES[number];
  if (place === undefined) return false;
  if (!isBlind(observed, number)) {
    return isSame(withoutLater(before[number]?.[unit]), kept, scenario.quirks.rewriteExpressions);
  }
  const record = memoryBefore.entries.get(addressOf(place));
  return record !== undefined && Object.hasOwn(record.applied, unit) && isSame(record.answered?.[unit], kept);
}
