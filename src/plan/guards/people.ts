import { type Address, byAddress, formatAddress } from "../../model/address.js";
import type { PlanImpact, StepImpact } from "../people/impact.js";
import { type PeopleQuestion, questionsOf } from "../people/question.js";
import { isDriftAlone } from "../saved/showsAll.js";
import type { Step } from "../step.js";
import { openExpressions } from "./everyone.js";
import type { Guard, Trip, Watch } from "./findings.js";
import type { Limits } from "./limits.js";
import { reverts } from "./share.js";

/** The limits in people. */
const LIMITS = ["maxLosing", "maxGaining"] as const satisfies readonly (keyof Limits)[];

/** Whether a limit in people is in force: people then have to be counted. */
export function limitsPeople(limits: Limits): boolean {
  return LIMITS.some((name) => limits[name] !== null);
}

/** The guards over what a plan means for people. */
export const PEOPLE_GUARDS: readonly Guard[] = [
  { name: "max-losing", trips: tooMany("maxLosing", "loses", "lose") },
  { name: "max-gaining", trips: tooMany("maxGaining", "gains", "gain") },
  { name: "impact-unknown", trips: withoutBound },
  { name: "lock-out", trips: locksOut },
];

type Members = Extract<StepImpact, { as: "members" }>;

/** A step that changes a rule, and what that means for people as far as it was counted. */
interface Counted {
  readonly question: Extract<PeopleQuestion, { as: "members" }>;
  readonly found: Members | null;
}

function countedIn(steps: readonly Step[], { kindOf, impact }: Watch): readonly Counted[] {
  return questionsOf(
    steps.filter((step) => !isDriftAlone(step)),
    kindOf,
  )
    .filter((question) => question.as === "members")
    .map((question) => ({ question, found: impact === null ? null : impactOn(question.step, impact) }))
    .toSorted((one, other) => byAddress(one.question.step.address, other.question.step.address));
}

function impactOn({ address }: Step, { steps }: PlanImpact): Members | null {
  const found = steps.find((step) => formatAddress(step.address) === formatAddress(address));
  return found?.as === "members" ? found : null;
}

/** The most people who lose or gain by a step; null for any number. No one loses by a new rule, or gains by none. */
function highOf({ question, found }: Counted, which: "loses" | "gains"): number | null {
  if (which === "loses" && question.isNew) return 0;
  if (which === "gains" && question.step.action === "delete") return 0;
  return found?.[which].high ?? null;
}

function tooMany(limit: "maxLosing" | "maxGaining", which: "loses" | "gains", verb: string): Guard["trips"] {
  return (steps, watch) => {
    const most = watch.rules.limits[limit];
    if (most === null) return [];
    const all = countedIn(steps, watch).filter(
      (one) => (highOf(one, which) ?? 0) > 0 && !(which === "loses" && takesBack(one, watch)),
    );
    const sum = all.reduce((total, one) => total + (highOf(one, which) ?? 0), 0);
    // One person may lose by several steps; the count of all steps has each person once.
    const people = Math.min(sum, watch.impact?.together[which] ?? sum);
    if (people <= most || people <= watch.rules.limits.changesFloor) return [];
    const message = `up to ${people === 1 ? "1 person" : `${people} people`} would ${verb} access; the limit is ${most}`;
    return [trip(null, message, stepsOf(all), [limit, "changesFloor"])];
  };
}

/**
 * Whether a step only reverts drift that widened a rule: who loses by it has access that no apply gave. No one gains by
 * it for certain, or the tenant opened the rule to everyone.
 */
function takesBack(counted: Counted, { kindOf }: Watch): boolean {
  const { step } = counted.question;
  if (step.driftedFrom !== null || !reverts(step.changes)) return false;
  if (highOf(counted, "gains") === 0) return true;
  return (
    step.before !== null &&
    openExpressions(step.before, kindOf(step.address).shape).some(({ isSure }) => isSure)
  );
}

function withoutBound(steps: readonly Step[], watch: Watch): readonly Trip[] {
  const { impact } = watch;
  const { limits } = watch.rules;
  const isOpen = (one: Counted) =>
    (limits.maxLosing !== null && highOf(one, "loses") === null && !takesBack(one, watch)) ||
    (limits.maxGaining !== null && highOf(one, "gains") === null) ||
    (limitsPeople(limits) && isUnjudged(one, impact) && !takesBack(one, watch));
  const open = countedIn(steps, watch).filter(isOpen);
  const [first] = open;
  if (first === undefined) return [];
  const what = open.length === 1 ? "1 step that changes a rule" : `${open.length} steps that change a rule`;
  const message = `a limit in people is set, and how many gain or lose access is unknown for ${what}: ${whyUnknown(first, impact)}`;
  return [trip(null, message, stepsOf(open), LIMITS)];
}

/**
 * Whether a refused read hides for how many people a rule holds from now on. The guards by count are then silent, and
 * that is not the same as a count that trips none of them.
 */
function isUnjudged({ question, found }: Counted, impact: PlanImpact | null): boolean {
  return question.after !== null && found === null && (impact?.failed ?? []).length > 0;
}

function whyUnknown({ question, found }: Counted, impact: PlanImpact | null): string {
  if (impact === null) return "people were not counted";
  const name = formatAddress(question.step.address);
  const left = impact.uncounted.find(({ address }) => formatAddress(address) === name);
  const [failed] = impact.failed;
  if (left !== undefined) return left.why;
  if (failed !== undefined) return `not all ${failed.what} could be read`;
  return found === null ? "people were not counted" : "not all people were read";
}

function locksOut(steps: readonly Step[], watch: Watch): readonly Trip[] {
  return countedIn(steps, watch)
    .filter(({ found }) => found?.locksOut === true)
    .map(({ question: { step } }) =>
      trip(step.address, "the user of these credentials may lose access by it", [step], []),
    );
}

function stepsOf(counted: readonly Counted[]): readonly Step[] {
  return counted.map(({ question }) => question.step);
}

function trip(
  address: Address | null,
  message: string,
  steps: readonly Step[],
  limits: Trip["limits"],
): Trip {
  return { address, message, steps, limits };
}
