import { TOO_LONG } from "../../impact/pairs.js";
import { same } from "../../model/json.js";
import type { PeopleCount, PlanImpact, StepImpact } from "../people/impact.js";
import { isDriftAlone } from "../saved/showsAll.js";
import type { Step } from "../step.js";
import type { Trip, Watch } from "./findings.js";

/** More people than this share of all, in percent, are everyone. */
const EVERYONE = 90;

type Trips = (steps: readonly Step[], watch: Watch) => readonly Trip[];

/** What a rule finds by itself in one step, whatever people there are; null where it finds nothing. */
export type ByMeaning = (step: Step, watch: Watch) => boolean;

/**
 * Rules and scopes that hold for more than nine of ten people from now on, by count. A number that may be smaller trips
 * nothing, unless it is one because the rule takes too long. A step that opens to everyone by its meaning is found without a count.
 */
export function everyoneByCount(byMeaning: ByMeaning): Trips {
  return tripsOf(byMeaning, ["changesFloor"], ({ before, after, unknown }, watch, { users }) => {
    const total = users.areAll && users.where === null ? users.read : 0;
    const isMost = ({ low }: PeopleCount) => low * 100 > EVERYONE * total;
    const isLate = unknown.some(({ why }) => why === TOO_LONG);
    if (isLate && (after.high === null || after.high * 100 > EVERYONE * total))
      return `whether it would hold for everyone could not be decided: ${TOO_LONG}`;
    if (total === 0 || after.low <= watch.rules.limits.changesFloor || !isMost(after) || isMost(before))
      return null;
    const people = after.certainty === "exact" ? `${after.low}` : `at least ${after.low}`;
    return `it would hold for ${people} of ${total} people, more than ${EVERYONE} %`;
  });
}

/**
 * Rules and scopes that held for some people, and hold for no one from now on, by count, however few they were. Where a
 * number rests on what is not documented, the likely one counts.
 */
export function nobodyByCount(byMeaning: ByMeaning): Trips {
  const isLeft: ByMeaning = (step, watch) =>
    (step.driftedFrom === null && reverts(step.changes)) || byMeaning(step, watch);
  return tripsOf(isLeft, [], ({ before, after }) => {
    if (mostIn(after) !== 0 || leastIn(before) === 0) return null;
    const least = leastIn(before);
    const people = `${least} ${least === 1 ? "person" : "people"}`;
    const holds = least > before.low ? "probably holds for" : "holds for";
    return `it would hold for no one; it ${holds} ${before.certainty !== "exact" && least === before.low ? "at least " : ""}${people} now`;
  });
}

/** Whether a write only changes back what the tenant changed: what it takes away was never applied. */
export function reverts(changes: Step["changes"]): boolean {
  return changes.length > 0 && changes.every(({ cause }) => cause === "drifted");
}

function mostIn({ assumed, high }: PeopleCount): number | null {
  return assumed ?? high;
}

function leastIn({ assumed, low }: PeopleCount): number {
  return Math.max(assumed ?? 0, low);
}

type Counted = Pick<Extract<StepImpact, { as: "members" | "audience" }>, "before" | "after" | "unknown">;

function tripsOf(
  byMeaning: ByMeaning,
  limits: Trip["limits"],
  rule: (counts: Counted, watch: Watch, impact: PlanImpact) => string | null,
): Trips {
  return (steps, watch) => {
    const { impact } = watch;
    if (impact === null) return [];
    return impact.steps.flatMap((counted): readonly Trip[] => {
      if (counted.as !== "members" && counted.as !== "audience") return [];
      if (counted.as === "members" && counted.ends) return [];
      const step = steps.find(({ address, key }) => same(address, counted.address) && same(key, counted.key));
      const message = rule(counted, watch, impact);
      if (step === undefined || message === null || isDriftAlone(step) || byMeaning(step, watch)) return [];
      return [{ address: step.address, message, steps: [step], limits }];
    });
  };
}
