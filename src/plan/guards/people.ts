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
    const counted = countedIn(steps, watch);
    const isTaken = (one: Counted) => which === "loses" && takesBack(one, watch);
    const own = counted.filter((one) => (highOf(one, which) ?? 0) > 0 && !isTaken(one));
    const following = followingIn(counted, watch).filter(
      ({ found, by }) => (found.counts?.[which].high ?? 0) > 0 && !by.every(isTaken),
    );
    const sum =
      own.reduce((total, one) => total + (highOf(one, which) ?? 0), 0) +
      following.reduce((total, { found }) => total + (found.counts?.[which].high ?? 0), 0);
    // One person may lose by several steps; the count of all steps has each person once.
    const together = watch.impact?.together;
    const once = following.length === 0 ? together?.[which] : together?.following?.[which];
    const people = Math.min(sum, once ?? sum);
    if (people <= most || people <= watch.rules.limits.changesFloor) return [];
    const who = `up to ${people === 1 ? "1 person" : `${people} people`} would ${verb} access`;
    const names = following.map(({ found }) => `\`${found.address.name}\``).join(", ");
    const more = following.length === 0 ? "" : `, with those who follow by ${names}`;
    const all = [...new Set([...own, ...following.flatMap(({ by }) => by)])];
    return [trip(null, `${who}${more}; the limit is ${most}`, stepsOf(all), [limit, "changesFloor"])];
  };
}

type Followed = NonNullable<PlanImpact["follow"]>[number];

/** The rules that stay and follow what steps change, each with those steps. */
function followingIn(
  counted: readonly Counted[],
  { impact }: Watch,
): readonly { readonly found: Followed; readonly by: readonly Counted[] }[] {
  return (impact?.follow ?? []).flatMap((found) => {
    const names = found.asksFor.map(formatAddress);
    const by = counted.filter(({ question }) => names.includes(formatAddress(question.step.address)));
    return by.length === 0 ? [] : [{ found, by }];
  });
}

/** Why it is not known how many follow a rule that follows itself; null where it is known. */
function whyUnfollowed({ address, counts, more }: Followed, limits: Limits): string | null {
  const name = `\`${address.name}\``;
  if (counts === null) return `${name} asks for what the plan changes, and its people were not counted`;
  const isOpen =
    (limits.maxLosing !== null && counts.loses.high === null) ||
    (limits.maxGaining !== null && counts.gains.high === null);
  if (isOpen) return `not all people of ${name} were read`;
  const [next] = more;
  const isStill = counts.loses.high === 0 && counts.gains.high === 0;
  if (next === undefined || isStill) return null;
  return `\`${next.name}\` asks for what ${name} gives, and that is not counted`;
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
  const counted = countedIn(steps, watch);
  const open = counted.filter(isOpen);
  const [first] = open;
  if (first === undefined) return limitsPeople(limits) ? withoutEnd(counted, watch) : [];
  const what = open.length === 1 ? "1 step that changes a rule" : `${open.length} steps that change a rule`;
  const message = `a limit in people is set, and how many gain or lose access is unknown for ${what}: ${whyUnknown(first, impact)}`;
  return [trip(null, message, stepsOf(open), LIMITS)];
}

/** Rules that follow what steps change, of which it is unknown how many people they concern. */
function withoutEnd(counted: readonly Counted[], watch: Watch): readonly Trip[] {
  const open = followingIn(counted, watch).flatMap(({ found, by }) => {
    const why = whyUnfollowed(found, watch.rules.limits);
    return why === null ? [] : [{ by, why }];
  });
  const [first] = open;
  if (first === undefined) return [];
  const what = open.length === 1 ? "1 rule that follows" : `${open.length} rules that follow`;
  const message = `a limit in people is set, and how many gain or lose access is unknown for ${what}: ${first.why}`;
  return [trip(null, message, stepsOf([...new Set(open.flatMap(({ by }) => by))]), LIMITS)];
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
