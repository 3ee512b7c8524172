import { formatAddress } from "../../model/address.js";
import { formatKey } from "../../model/key.js";
import type { OpenRange, Planned } from "../plan.js";
import type { Step } from "../step.js";
import { type Moved, measureOf, movedBy, movedByFollowers } from "./bounds.js";
import type { BoundedRange, PlanImpact, StepImpact } from "./impact.js";
import { type PeopleQuestion, questionsOf, type StepQuestion } from "./question.js";

/**
 * What a plan means for people over every step that may move someone, each person once where that can be known. A step
 * that was not counted opens the upper bound.
 */
export interface PeopleTotals {
  readonly access: {
    readonly rules: number;
    /** How many deletes may take access with them. */
    readonly deletes: number;
    /** How many profiles change what those get who are enrolled. */
    readonly profiles: number;
    /** How many rules stay and follow. */
    readonly follow: number;
    readonly gains: OpenRange;
    readonly loses: OpenRange;
  };
  /** Who leaves a review keeps access, so these are never added to the others. */
  readonly reviews: {
    readonly scopes: number;
    /** How many reviews stay and follow. */
    readonly follow: number;
    readonly enters: OpenRange;
    readonly leaves: OpenRange;
  };
  /** Who may request something. */
  readonly requests: { readonly profiles: number; readonly gains: OpenRange; readonly loses: OpenRange };
}

/** The totals of the steps that a plan still has: those that were applied before have no people left to count. */
export function totalsOf({ impact, steps }: Pick<Planned, "impact" | "steps">): PeopleTotals {
  const found = finder(impact);
  const questions = questionsOf(steps);
  const moved = new Map(questions.map((question) => [question, movedBy(question, found(question))]));
  const of = (measure: ReturnType<typeof measureOf>) => questions.filter((one) => measureOf(one) === measure);
  const isWhole = isAllOf(impact, steps);
  const [rules, scopes] = [movedByFollowers(impact, "members"), movedByFollowers(impact, "audience")];
  const sum = (
    some: readonly StepQuestion[],
    side: keyof Moved,
    more: readonly Moved[],
    most: BoundedRange | null,
  ) =>
    together(
      [...some.flatMap((one) => moved.get(one) ?? []), ...more].map((one) => one[side]),
      most,
      isWhole,
    );
  const [access, reviews, requests] = [of("access"), of("reviews"), of("requests")];
  const count = (as: PeopleQuestion["as"]) => questions.filter((one) => one.as === as).length;
  const all = impact?.together ?? null;
  return {
    access: {
      rules: count("members"),
      deletes: questions.filter((one) => one.as === "holdings" && moved.get(one)?.fewer.high !== 0).length,
      profiles: count("enrolled"),
      follow: rules.length,
      gains: sum(access, "more", rules, all?.gains ?? null),
      loses: sum(access, "fewer", rules, all?.loses ?? null),
    },
    reviews: {
      scopes: count("audience"),
      follow: scopes.length,
      enters: sum(reviews, "more", scopes, all?.enters ?? null),
      leaves: sum(reviews, "fewer", scopes, all?.leaves ?? null),
    },
    requests: {
      profiles: requests.length,
      gains: sum(requests, "more", [], null),
      loses: sum(requests, "fewer", [], null),
    },
  };
}

/** What was counted for a question; undefined where it was not. */
export function finder(
  impact: Pick<PlanImpact, "steps"> | null,
): (question: PeopleQuestion) => StepImpact | undefined {
  const counted = new Map(impact?.steps.map((one) => [`${one.as} ${placeOf(one)}`, one]));
  return ({ as, step }) => counted.get(`${as} ${placeOf(step)}`);
}

function placeOf({ address, key }: Pick<Step, "address" | "key">): string {
  return `${formatAddress(address)} ${key === null ? "" : formatKey(address.kind, key)}`;
}

/** Whether the plan still has each step that was counted. */
export function isAllOf(impact: PlanImpact | null, steps: readonly Step[]): boolean {
  const left = new Set(steps.map(placeOf));
  return (impact?.steps ?? []).every((one) => left.has(placeOf(one)));
}

/** Some numbers as one; `known` is what they come to where each person counts once. */
function together(ranges: readonly OpenRange[], known: BoundedRange | null, isWhole: boolean): OpenRange {
  const sum = ranges.reduce<number | null>(
    (total, { high }) => (total === null || high === null ? null : total + high),
    0,
  );
  const lows = ranges.map(({ low }) => low);
  const added = lows.reduce((total, low) => total + low, 0);
  const low = isWhole && known !== null ? Math.min(known.low, added) : Math.max(0, ...lows);
  return { low, high: sum === null || known === null ? sum : Math.min(sum, known.high) };
}
