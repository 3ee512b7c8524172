import { kindOf } from "../../kinds/index.js";
import { type Address, byAddress, formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { say } from "../../words/say.js";
import { type Moved, measureOf, movedBy, movedByFollowers } from "../people/bounds.js";
import type { PlanImpact, StepImpact } from "../people/impact.js";
import { questionsOf, type StepQuestion } from "../people/question.js";
import { finder } from "../people/totals.js";
import type { OpenRange } from "../plan.js";
import { isDriftAlone } from "../saved/showsAll.js";
import { fingerprint } from "../saved/spelling.js";
import type { Step } from "../step.js";
import { openExpressions } from "./expressions.js";
import type { Guard, Trip, Watch } from "./findings.js";
import type { Limits } from "./settings.js";
import { reverts } from "./share.js";

/** The limits in people. */
const LIMITS = ["maxLosing", "maxGaining"] as const satisfies readonly (keyof Limits)[];

/** Whether a limit in people is in force: people then have to be counted. */
export function limitsPeople(limits: Limits): boolean {
  return LIMITS.some((name) => limits[name] !== null);
}

/** The guards over what a plan means for people. */
export const PEOPLE_GUARDS = {
  "max-losing": tooMany("guard/max-losing", "maxLosing", "loses"),
  "max-gaining": tooMany("guard/max-gaining", "maxGaining", "gains"),
  "impact-unknown": withoutBound,
  "lock-out": locksOut,
  conflict: bringsTogether,
} as const;

/** A step that may move access, and what of that was counted. */
interface Counted {
  readonly question: StepQuestion;
  readonly found: StepImpact | undefined;
  readonly moved: Moved;
}

function countedIn(steps: readonly Step[], { impact }: Watch): readonly Counted[] {
  const foundFor = finder(impact);
  return questionsOf(steps.filter((step) => !isDriftAlone(step)))
    .filter((question) => measureOf(question) === "access")
    .map((question) => {
      const found = foundFor(question);
      return { question, found, moved: movedBy(question, found) };
    })
    .toSorted((one, other) => byAddress(one.question.step.address, other.question.step.address));
}

const SIDES = { gains: "more", loses: "fewer" } as const;

/** Who is moved by the rules that follow. */
function followingIn({ impact }: Watch, which: keyof typeof SIDES): readonly OpenRange[] {
  return movedByFollowers(impact, "members").map((moved) => moved[SIDES[which]]);
}

function tooMany(
  code: "guard/max-losing" | "guard/max-gaining",
  limit: "maxLosing" | "maxGaining",
  which: "loses" | "gains",
): Guard {
  return (steps, watch) => {
    const most = watch.rules.limits[limit];
    if (most === null) return [];
    const all = countedIn(steps, watch).filter(
      (one) => (one.moved[SIDES[which]].high ?? 0) > 0 && !(which === "loses" && takesBack(one)),
    );
    const ranges = [...all.map(({ moved }) => moved[SIDES[which]]), ...followingIn(watch, which)];
    const sum = ranges.reduce((total, { high }) => total + (high ?? 0), 0);
    // One person may lose by several steps; the count of all steps has each person once.
    const people = Math.min(sum, watch.impact?.together[which].high ?? sum);
    if (people <= most || people <= watch.rules.limits.changesFloor) return [];
    return [trip(null, say(code, { people, limit: most }), stepsOf(all), [limit, "changesFloor"])];
  };
}

/**
 * Whether a step only reverts drift that widened a rule: who loses by it has access that no apply gave. No one gains by
 * it for certain, or the tenant opened the rule to everyone.
 */
function takesBack(counted: Counted): boolean {
  const { step, as } = counted.question;
  if (as === "holdings" || step.recorded.driftedFrom !== null || !reverts(step.changes)) return false;
  if (counted.moved.more.high === 0) return true;
  return (
    step.before !== null &&
    openExpressions(step.before, kindOf(step.address).shape).some(({ isSure }) => isSure)
  );
}

function withoutBound(steps: readonly Step[], watch: Watch): readonly Trip[] {
  const { impact } = watch;
  const { limits } = watch.rules;
  if (!limitsPeople(limits)) return [];
  const asked = [
    ...(limits.maxLosing === null ? [] : (["loses"] as const)),
    ...(limits.maxGaining === null ? [] : (["gains"] as const)),
  ];
  const all = countedIn(steps, watch);
  const open = all.filter(
    (one) =>
      !takesBack(one) &&
      (isUnjudged(one, impact) || asked.some((which) => one.moved[SIDES[which]].high === null)),
  );
  const [first] = open;
  const follow = asked.some((which) => followingIn(watch, which).some(({ high }) => high === null));
  if (first === undefined && !follow) return [];
  const what =
    first === undefined ? "a rule that follows" : open.length === 1 ? "1 step" : `${open.length} steps`;
  const why = first === undefined ? "not all people were read" : whyUnknown(first, impact);
  return [
    trip(null, say("guard/impact-unknown", { what, why }), stepsOf(first === undefined ? all : open), LIMITS),
  ];
}

/**
 * Whether a refused read hides for how many people a rule holds from now on. The guards by count are then silent, and
 * that is not the same as a count that trips none of them.
 */
function isUnjudged({ question, found }: Counted, impact: PlanImpact | null): boolean {
  const isRule = question.as === "members" && question.after !== null;
  return isRule && found === undefined && (impact?.failed ?? []).length > 0;
}

function whyUnknown({ question, found }: Counted, impact: PlanImpact | null): string {
  if (impact === null) return "people were not counted";
  const name = formatAddress(question.step.address);
  const left = impact.uncounted.find(({ address }) => formatAddress(address) === name);
  const [failed] = impact.failed;
  if (left !== undefined) return left.why;
  if (failed !== undefined) return `not all ${failed.what} could be read`;
  return found === undefined ? "people were not counted" : "not all people were read";
}

function locksOut(steps: readonly Step[], watch: Watch): readonly Trip[] {
  if (watch.impact?.steps.some((one) => one.as === "members" && one.locksOut) !== true) return [];
  return countedIn(steps, watch)
    .filter(({ found }) => found?.as === "members" && found.locksOut)
    .map(({ question: { step } }) => trip(step.address, say("guard/lock-out"), [step], []));
}

/** Someone would hold both sides of a conflict who does not now: for certain, or perhaps where that is asked for. */
function bringsTogether(steps: readonly Step[], { impact, rules }: Watch): readonly Trip[] {
  const isStrict = rules.limits.conflict === "strict";
  return (impact?.conflicts ?? [])
    .filter(({ newly: { low, high } }) => low > 0 || (isStrict && high !== 0))
    .map(({ address, newly, movedBy, groupA, groupB, isNegated }) => {
      const by = new Set(movedBy.map(formatAddress));
      const moving = steps.filter((step) => by.has(formatAddress(step.address)));
      const sides = isNegated ? "its group A without its group B" : "both sides of it";
      const { message } = say("guard/conflict", { people: peopleIn(newly), sides });
      const decidedBy = fingerprint({ groupA, groupB, isNegated });
      return { address, message, steps: moving, limits: ["conflict"], decidedBy };
    });
}

/** `1 person`, `at least 2 people`, `up to 3 people`. */
function peopleIn({ low, high }: OpenRange): string {
  if (high === null) return low === 0 ? "an unknown number of people" : `at least ${low} people`;
  const number = low === high ? `${low}` : low === 0 ? `up to ${high}` : `${low} to ${high}`;
  return `${number} ${high === 1 ? "person" : "people"}`;
}

function stepsOf(counted: readonly Counted[]): readonly Step[] {
  return counted.map(({ question }) => question.step);
}

function trip(
  address: Address | null,
  { message }: Pick<Diagnostic, "message">,
  steps: readonly Step[],
  limits: Trip["limits"],
): Trip {
  return { address, message, steps, limits };
}
