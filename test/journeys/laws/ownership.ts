import type { Json } from "../../../src/model/json.js";
import type { Ledger } from "./ledger.js";
import { isBlind, type Observed, ownedIn } from "./observed.js";
import { addressOf, PLACES } from "./places.js";
import { isAbout, sentIn } from "./requests.js";
import { ADDED_TO, contains, isSame, type Stored, withoutStray } from "./stored.js";

/** (b) What the manifest does not own stays as it is, member by member, and is sent as it is where it has to be sent. */
export function judgeOwnership(observed: Observed, ledger: Ledger): void {
  for (const number of PLACES.keys()) {
    const old = observed.before[number] ?? null;
    const owned = ownedIn(observed.round, number);
    if (old === null || owned === null) continue;
    judgeRequests(number, old, owned, observed, ledger);
    judgeTenant(number, old, owned, observed, ledger);
  }
}

type Owned = Readonly<Record<string, Json | undefined>>;

function judgeTenant(number: number, old: Stored, owned: Owned, observed: Observed, ledger: Ledger): void {
  const { scenario, round, after } = observed;
  const { quirks } = scenario;
  const now = after[number] ?? null;
  const place = PLACES[number];
  // The service itself changes what it is sent: what is sent back unchanged is changed by it.
  if (now === null || place === undefined || quirks.otherChoice || quirks.missingRows) return;
  const blind = isBlind(observed, number);
  // Where nothing can be read, a create writes the whole object, and an acknowledged write both halves.
  const isWhole = blind && (place.kind === "EntitlementAutomation" || round.answered);
  const on = blind ? "core" : "full";
  const detail = () => `${JSON.stringify(old)} became ${JSON.stringify(now)}`;
  for (const unit of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (!(unit in owned)) {
      if (isWhole) continue;
      const holds = isSame(old[unit], now[unit], quirks.rewriteExpressions);
      ledger.judge("b", holds, `${on}: changes ${place.kind} ${unit}`, detail);
    } else if (ADDED_TO.has(unit)) {
      const recorded = observed.memoryBefore.entries.get(addressOf(place))?.applied[unit];
      const others = itemsOf(old[unit]).filter((item) => !contains(recorded, [item]));
      ledger.judge(
        "b",
        contains(now[unit], others),
        `full: ${place.kind} ${unit} loses what remit did not add`,
        detail,
      );
    } else if (!blind && owned[unit] !== undefined) {
      const cause = `full: ${place.kind} ${unit} loses what remit has no name for`;
      ledger.judge("b", !losesLater(old[unit], now[unit], unit, owned[unit]), cause, detail);
    }
  }
}

function itemsOf(list: Json | undefined): readonly Json[] {
  return Array.isArray(list) ? list : [];
}

/** Whether a written unit lost a member that remit has no name for, although nothing takes its place. */
function losesLater(old: Json | undefined, now: Json | undefined, unit: string, wanted: Json): boolean {
  if (unit === "entitlements") return lacksRow(old, now);
  if (unit !== "scope") return false;
  const takesUsers = ["allUsers", "selectedUsers", "userCriteria", "celExpression"].some((name) =>
    JSON.stringify(wanted).includes(`"${name}"`),
  );
  const members = takesUsers ? ["futureNote"] : ["futureNote", "futureUsersScope"];
  const keepsAll = JSON.stringify(wanted).includes('"allUsers"') ? [...members, "futureSide"] : members;
  return keepsAll.some((name) => lacksMember(old, now, name));
}

function lacksRow(old: Json | undefined, now: Json | undefined): boolean {
  if (!Array.isArray(old) || !Array.isArray(now)) return false;
  const keyOf = (row: Json) => {
    const { appId, appEntitlementId } = row as { readonly appId: string; readonly appEntitlementId: string };
    return `${appId}/${appEntitlementId}`;
  };
  const before = new Map(old.map((row: Json) => [keyOf(row), row]));
  return now.some((row: Json) => lacksMember(before.get(keyOf(row)), row, "futureRow"));
}

function lacksMember(old: Json | undefined, now: Json | undefined, name: string): boolean {
  const [one, other] = [old, now].map((value) => JSON.stringify(value) ?? "");
  return one?.includes(`"${name}"`) === true && other?.includes(`"${name}"`) === false;
}

/** Each unit of a request is owned, or is what the tenant contains. */
function judgeRequests(number: number, old: Stored, owned: Owned, observed: Observed, ledger: Ledger): void {
  const place = PLACES[number];
  if (place === undefined || isBlind(observed, number)) return;
  const { rewriteExpressions } = observed.scenario.quirks;
  for (const entry of observed.sent) {
    if (entry.method !== "POST" || !isAbout(entry, place)) continue;
    // A create writes an object that the service says is not there.
    if (/^Create/.test(entry.operation ?? "")) continue;
    for (const [unit, value] of Object.entries(sentIn(entry))) {
      if (unit in owned) continue;
      const holds = isSame(old[unit], withoutStray(value), rewriteExpressions);
      const cause = `full: ${entry.operation} sends another ${unit} than the tenant contains`;
      ledger.judge("b", holds, cause, () => `${JSON.stringify(value)} for ${JSON.stringify(old[unit])}`);
    }
  }
}
