import type { Json } from "../../../src/model/json.js";
import { type Observed, ownedIn, said, selectedIn } from "./observed.js";
import { addressOf, PLACES } from "./places.js";
import { isAbout, sentIn, showed } from "./requests.js";
import { contains, isSame, type Stored, withoutLater } from "./stored.js";

/** How a run broke a law; `cause` is the same for every run that broke it in the same way. */
export interface Violation {
  readonly law: Law;
  readonly cause: string;
  readonly detail: string;
}

export type Law = "a" | "b" | "c" | "d" | "e";

/** What each law says (the issue that states them numbers them so). */
export const LAWS: Readonly<Record<Law, string>> = {
  a: "after an apply, the plan is empty or says what is unknown",
  b: "a member that a manifest does not own never changes in the tenant",
  c: "an object outside the selection never changes, in the tenant or in the state",
  d: "nothing unseen is overwritten unless that is acknowledged",
  e: "every value of a manifest is in a request or in a diagnostic",
};

/** Every way in which a run broke a law. */
export function violationsOf(observed: Observed): readonly Violation[] {
  return [
    ...emptyPlan(observed),
    ...unownedKept(observed),
    ...unselectedKept(observed),
    ...unseenKept(observed),
    ...everythingSent(observed),
  ];
}

/** (a) Exit 0 of an apply or of the next plan means that the tenant is as the manifests say. */
function emptyPlan(observed: Observed): readonly Violation[] {
  const { run, again } = observed;
  const found: Violation[] = [];
  if (run.code === 0 && again.code !== 0 && !saysUnknown(again.stdout + again.stderr)) {
    found.push({
      law: "a",
      cause: `apply ends with 0, the next plan with ${again.code}`,
      detail: said(again),
    });
  }
  const claim = again.code === 0 ? "plan" : run.code === 0 ? "apply" : null;
  if (claim === null) return found;
  for (const number of selectedIn(observed)) {
    const wrong = differentFrom(observed, number);
    if (wrong.length === 0) continue;
    const about = `${PLACES[number]?.kind} ${wrong.join(", ")}`;
    found.push({
      law: "a",
      cause: `${observed.scenario.interface}: ${claim} ends with 0 and the tenant differs: ${about}`,
      detail: `${JSON.stringify(observed.after[number])} is not ${JSON.stringify(ownedIn(observed.round, number))}`,
    });
  }
  return found;
}

function saysUnknown(text: string): boolean {
  return /unknown|not seen|cannot tell|uncertain/i.test(text);
}

/** The units of a place in which the tenant is not as its manifest says, where remit can know. */
function differentFrom(observed: Observed, number: number): readonly string[] {
  const { scenario, after, meddled } = observed;
  const owned = ownedIn(observed.round, number);
  if (owned === null) return [];
  // On core nothing can be read: what another program did since the last write is hidden.
  if (scenario.interface === "core" && meddled.has(number)) return [];
  const stored = after[number] ?? null;
  if (stored === null) return ["(not there)"];
  return Object.entries(owned).flatMap(([unit, kept]) =>
    isSame(withoutLater(stored[unit]), kept, scenario.quirks.rewriteExpressions) ? [] : [unit],
  );
}

/** (b) What the manifest does not own stays as it is, member by member. */
function unownedKept(observed: Observed): readonly Violation[] {
  const { scenario, round, before, after } = observed;
  // The service itself changes what it is sent: what is carried over unchanged is changed by it.
  if (scenario.quirks.otherChoice || scenario.quirks.missingRows) return [];
  return PLACES.flatMap((place, number): readonly Violation[] => {
    const [old, now] = [before[number] ?? null, after[number] ?? null];
    const owned = ownedIn(round, number);
    if (old === null || now === null || owned === null) return [];
    if (scenario.interface === "core" && (round.answered || place.kind === "EntitlementAutomation"))
      return [];
    const units = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    const foreign = units.filter((unit) => !(unit in owned) && !isKept(old[unit], now[unit], observed));
    const lost =
      scenario.interface === "core" ? [] : units.filter((unit) => losesLater(old, now, unit, owned));
    return [
      ...foreign.map((unit) => `${place.kind} ${unit}`),
      ...lost.map((unit) => `${place.kind} ${unit} (content that remit has no name for)`),
    ].map((unit) => ({
      law: "b",
      cause: `${scenario.interface}: changes ${unit}`,
      detail: `${JSON.stringify(old)} became ${JSON.stringify(now)}`,
    }));
  });
}

function isKept(old: Json | undefined, now: Json | undefined, { scenario }: Observed): boolean {
  return isSame(old, now, scenario.quirks.rewriteExpressions);
}

/** Whether a written unit lost a member that remit has no name for, although nothing takes its place. */
function losesLater(
  old: Stored,
  now: Stored,
  unit: string,
  owned: Readonly<Record<string, unknown>>,
): boolean {
  if (!(unit in owned) || owned[unit] === undefined) return false;
  const [one, other] = [old[unit], now[unit]];
  if (unit === "scope") return lacksMember(one, other, "futureNote");
  return false;
}

function lacksMember(old: Json | undefined, now: Json | undefined, name: string): boolean {
  const [one, other] = [JSON.stringify(old ?? null), JSON.stringify(now ?? null)];
  return one.includes(`"${name}"`) && !other.includes(`"${name}"`);
}

/** (c) What is not selected stays as it is, in the tenant and in the state. */
function unselectedKept(observed: Observed): readonly Violation[] {
  const { scenario, round, before, after, rememberedBefore, rememberedAfter, isLatePossible } = observed;
  const selected = selectedIn(observed);
  return PLACES.flatMap((place, number): readonly Violation[] => {
    if (selected.has(number)) return [];
    const address = addressOf(place);
    const why = (round.wanted[number] ?? null) === null ? "without a manifest" : "not selected";
    const found: Violation[] = [];
    const [old, now] = [before[number] ?? null, after[number] ?? null];
    const appearedLate = old === null && isLatePossible;
    if (!appearedLate && JSON.stringify(old) !== JSON.stringify(now)) {
      const detail = `${address}: ${JSON.stringify(old)} became ${JSON.stringify(now)}`;
      found.push({
        law: "c",
        cause: `${scenario.interface}: the tenant changes, ${why} (${round.by})`,
        detail,
      });
    }
    const [noted, known] = [rememberedBefore.get(address), rememberedAfter.get(address)];
    if (noted !== undefined && noted !== known) {
      const detail = `${address}: ${noted} became ${known ?? "nothing"}`;
      found.push({ law: "c", cause: `the state changes, ${why} (${round.by})`, detail });
    }
    return found;
  });
}

/** (d) Each write to an object that is there follows a read of it, or an answered write that the state records. */
function unseenKept(observed: Observed): readonly Violation[] {
  const { scenario, round, before, rememberedBefore, sent, run } = observed;
  return PLACES.flatMap((place, number): readonly Violation[] => {
    const write = sent.find((entry) => entry.method !== "GET" && entry.written && isAbout(entry, place));
    const stored = before[number] ?? null;
    if (write === undefined || stored === null) return [];
    const found: Violation[] = [];
    const wasRead = sent.some((entry) => entry.sequence < write.sequence && showed(entry, place));
    const wasWritten = rememberedBefore.has(addressOf(place));
    const isSeen = scenario.interface === "full" ? wasRead : wasWritten;
    if (!isSeen && !round.answered) {
      const cause = `${scenario.interface}: ${write.operation} overwrites what was not seen`;
      found.push({ law: "d", cause, detail: `${JSON.stringify(stored)}; ${said(run)}` });
    }
    if (write.operation === "SetScopeAndEntitlements" && scenario.interface === "core" && !round.answered) {
      const owned = ownedIn(round, number) ?? {};
      const half = ["scope", "entitlements"].filter((unit) => !(unit in owned));
      if (half.length > 0) {
        const cause = `core: SetScopeAndEntitlements overwrites the ${half.join()} that the manifest does not write`;
        found.push({ law: "d", cause, detail: said(run) });
      }
    }
    if (write.operation === "CreateAutomation" && !isSeen && !/already|exist|replace/i.test(said(run))) {
      const cause = `${scenario.interface}: a create that replaced an automation is not reported`;
      found.push({ law: "d", cause, detail: said(run) });
    }
    return found;
  });
}

/** (e) After exit 0, each owned unit was sent with all its values, or the service was seen to have it, or it is named. */
function everythingSent(observed: Observed): readonly Violation[] {
  const { scenario, round, before, run, sent, sentBefore } = observed;
  if (run.code !== 0) return [];
  return [...selectedIn(observed)].flatMap((number): readonly Violation[] => {
    const place = PLACES[number];
    const owned = ownedIn(round, number);
    if (place === undefined || owned === null || said(run).includes(`${addressOf(place)}:`)) return [];
    const writes = [...sentBefore, ...sent].filter(
      (entry) => entry.method !== "GET" && isAbout(entry, place),
    );
    const bodies = writes.map(sentIn);
    return Object.entries(owned).flatMap(([unit, kept]): readonly Violation[] => {
      const wasSent = bodies.some((body) =>
        unit in body
          ? kept === undefined
            ? isSame(body[unit], undefined)
            : contains(body[unit], kept)
          : false,
      );
      const wasThere =
        scenario.interface === "full" &&
        isSame(withoutLater(before[number]?.[unit]), kept, scenario.quirks.rewriteExpressions);
      if (wasSent || wasThere) return [];
      const cause = `${scenario.interface}: ${place.kind} ${unit} is in no request (${kept === undefined ? "cleared" : "set"})`;
      return [
        { law: "e", cause, detail: `${JSON.stringify(kept)} in ${JSON.stringify(bodies)}; ${said(run)}` },
      ];
    });
  });
}
