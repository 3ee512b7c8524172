import { MISSING } from "../../impact/rule/rule.js";
import { same } from "../../model/json.js";
import { say } from "../../words/say.js";
import type { PeopleCount, PlanImpact, StepImpact } from "../people/impact.js";
import { isDriftAlone } from "../saved/showsAll.js";
import type { Step } from "../step.js";
import { writesExpression } from "./expressions.js";
import type { Guard, Trip, Watch } from "./findings.js";

/** More people than this share of all, in percent, are everyone. */
const EVERYONE = 90;

/** What a rule finds by itself in one step, whatever people there are; null where it finds nothing. */
export type ByMeaning = (step: Step, watch: Watch) => boolean;

/**
 * Rules and scopes that hold for more than nine of ten people from now on, by count. They also trip where they may do so
 * because they are unknown for some people, whatever the reason. A person who lacks an attribute that the rule asks for is
 * left out, and is not unknown. A number that may be smaller for another reason trips nothing. A step that opens to
 * everyone by its meaning is found without a count.
 */
export function everyoneByCount(byMeaning: ByMeaning): Guard {
  return tripsOf(byMeaning, ["changesFloor"], ({ as, before, after, unknown }, step, watch, { users }) => {
    // How many users there are is unknown where only those were read whom the rules demand.
    const read = users.where === null ? users.read : 0;
    if (read === 0 || isMost(before.low)) return null;
    const unclear = unknown.filter((one) => one.why !== MISSING && one.after > 0);
    const undecided = unclear.reduce((sum, one) => sum + one.after, 0);
    const [first] = unclear.toSorted((one, other) => other.after - one.after);
    if (users.areAll && after.low > watch.rules.limits.changesFloor && isMost(after.low)) {
      const people = after.certainty === "exact" ? `${after.low}` : `at least ${after.low}`;
      return say("guard/everyone#share", { people, read, share: EVERYONE }).message;
    }
    if (first === undefined || !isMost(after.low + undecided)) return null;
    // Criteria of a review say nothing that remit does not read; what they ask groups for is not documented.
    if (as === "audience" && !writesExpression(step)) return null;
    return say("guard/everyone#unclear", { undecided, read, why: first.why }).message;

    function isMost(people: number): boolean {
      return people * 100 > EVERYONE * read;
    }
  });
}

/**
 * Rules and scopes that held for some people, and hold for no one from now on, by count, however few they were. Where a
 * number rests on what is not documented, the likely one counts.
 */
export function nobodyByCount(byMeaning: ByMeaning): Guard {
  const isLeft: ByMeaning = (step, watch) =>
    (step.recorded.driftedFrom === null && reverts(step.changes)) || byMeaning(step, watch);
  return tripsOf(isLeft, [], (impact) => {
    const { before, after } = impact;
    if (mostIn(after) !== 0 || leastIn(before) === 0) return null;
    const least = leastIn(before);
    const isLeast = before.certainty !== "exact" && least === before.low;
    const holds = `${least > before.low ? "probably holds for" : "holds for"}${isLeast ? " at least" : ""}`;
    // The number of those who lose access is then 0.
    const isUnheld = impact.as === "members" && impact.loses.high === 0;
    const unheld = isUnheld ? `, ${least === 1 ? "who does not have it" : "none of whom has it"}` : "";
    // The likely number counts, and another one is possible.
    const will = after.high === 0 ? "hold" : "probably hold";
    const rests = [
      ...new Set([
        ...(after.high === 0 ? [] : after.assumptions),
        ...(least > before.low ? before.assumptions : []),
      ]),
    ];
    const why = rests.length === 0 ? "" : ` (not documented: ${rests.join(", ")})`;
    return say("guard/nobody#count", { will, why, holds, people: least, unheld }).message;
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

/** What the people who were read say of a step; null where none of them were asked. */
export function peopleAsked({ address, key }: Step, impact: PlanImpact | null): StepImpact | null {
  if (impact === null || impact.users.read === 0) return null;
  return impact.steps.find((one) => same(one.address, address) && same(one.key, key)) ?? null;
}

type Counted = Extract<StepImpact, { as: "members" | "audience" }>;

function tripsOf(
  byMeaning: ByMeaning,
  limits: Trip["limits"],
  rule: (counts: Counted, step: Step, watch: Watch, impact: PlanImpact) => string | null,
): Guard {
  return (steps, watch) => {
    const { impact } = watch;
    if (impact === null) return [];
    return impact.steps.flatMap((counted): readonly Trip[] => {
      if (counted.as !== "members" && counted.as !== "audience") return [];
      if (counted.as === "members" && counted.ends) return [];
      const step = steps.find(({ address, key }) => same(address, counted.address) && same(key, counted.key));
      if (step === undefined || isDriftAlone(step)) return [];
      const message = rule(counted, step, watch, impact);
      if (message === null || byMeaning(step, watch)) return [];
      return [{ address: step.address, message, steps: [step], limits }];
    });
  };
}
