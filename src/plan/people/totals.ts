import type { Extent } from "../../current/peopleReads.js";
import { formatAddress } from "../../model/address.js";
import type { Step } from "../step.js";
import type { PeopleCount, PlanImpact, StepImpact } from "./impact.js";

/** A number of people: at least so many for certain, and at most so many; null for any number. */
export interface PeopleRange {
  readonly low: number;
  readonly high: number | null;
}

/** What a plan means for people over all its steps, each person once where that can be known. */
export interface PeopleTotals {
  readonly access: {
    readonly rules: number;
    /** How many deletes take access with them. */
    readonly deletes: number;
    readonly gains: PeopleRange;
    readonly loses: PeopleRange;
  };
  /** Who leaves a review keeps access, so these are never added to the others. */
  readonly reviews: { readonly scopes: number; readonly enters: PeopleRange; readonly leaves: PeopleRange };
}

type Members = Extract<StepImpact, { as: "members" }>;
type Audience = Extract<StepImpact, { as: "audience" }>;

/** The totals of the steps that a plan still has: those that were applied before have no people left to count. */
export function totalsOf(impact: PlanImpact, planned: readonly Pick<Step, "address">[]): PeopleTotals {
  const left = new Set(planned.map(({ address }) => formatAddress(address)));
  const steps = impact.steps.filter(({ address }) => left.has(formatAddress(address)));
  const isWhole = steps.length === impact.steps.length;
  const { loses, gains, least, reviews, deleted } = impact.together;
  const rules = steps.filter((step): step is Members => step.as === "members");
  const scopes = steps.filter((step): step is Audience => step.as === "audience");
  const bounds = (counts: readonly PeopleCount[], most: number, fewest: number | undefined): PeopleRange => {
    const sum = added(counts.map(({ high }) => high));
    const lows = counts.map(({ low }) => low);
    const known = isWhole && fewest !== undefined ? Math.min(fewest, added(lows) ?? 0) : Math.max(0, ...lows);
    return { low: known, high: sum === null ? null : Math.min(sum, most) };
  };
  const lost = rules.map((step) => (step.ends ? { ...step.loses, low: 0 } : step.loses));
  const entering = scopes.map(({ enters }) => enters);
  const leaving = scopes.map(({ leaves }) => leaves);
  const any = Number.POSITIVE_INFINITY;
  const deletes = steps.filter(takesAccess).length;
  const losesByRule = bounds(lost, loses, least?.loses);
  return {
    access: {
      rules: rules.length,
      deletes,
      gains: bounds(
        rules.map((step) => step.gains),
        gains,
        least?.gains,
      ),
      loses:
        deletes === 0 || deleted === undefined ? losesByRule : withDeleted(losesByRule, deleted, isWhole),
    },
    reviews: {
      scopes: scopes.length,
      enters: bounds(entering, reviews?.enters ?? any, undefined),
      leaves: bounds(leaving, reviews?.leaves ?? any, undefined),
    },
  };
}

/** Whether a delete may take access from anyone. */
function takesAccess(step: StepImpact): boolean {
  return step.as === "holdings" && !(step.people?.isAll === true && step.people.low === 0);
}

/** One person may lose access by a rule and by a delete. */
function withDeleted(
  { low, high }: PeopleRange,
  { low: least, isAll }: Extent,
  isWhole: boolean,
): PeopleRange {
  return { low: isWhole ? Math.max(low, least) : low, high: isAll && high !== null ? high + least : null };
}

function added(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}
