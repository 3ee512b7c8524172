import { ASSUMPTIONS, type Assumption } from "../../impact/assumption.js";
import type { Evaluate } from "../../impact/census.js";
import { type Certainty, type Count, certaintyOf, type Unclear } from "../../impact/count.js";
import type { ConflictGroups } from "../../kinds/kind.js";
import type { EntitlementRef } from "../../kinds/people.js";
import type { Address } from "../../model/address.js";
import type { Key } from "../../model/key.js";
import type { Extent } from "../../tenant/peopleReads.js";

/** One user, named. Names are personal data: a plan contains them only where that was asked for. */
export interface NamedPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** A number of people in a plan. The bounds hold even where something is unknown. */
export interface PeopleCount {
  readonly certainty: Certainty;
  readonly low: number;
  /** Null where any number is possible. */
  readonly high: number | null;
  /** The number if the assumptions hold; null where it is unknown even then. */
  readonly assumed: number | null;
  /** What the service does not document, and what the number would change with. */
  readonly assumptions: readonly string[];
  /** Those who may be among them; null where names were not asked for. At most a thousand. */
  readonly people: readonly NamedPerson[] | null;
}

/** At least and at most so many. */
export interface BoundedRange {
  readonly low: number;
  readonly high: number;
}

/** What a step means for people, as counted when the plan was made. */
export type StepImpact = {
  readonly address: Address;
  readonly key: Key | null;
  /** Why the rules are unknown for some people. */
  readonly unknown: readonly Unclear[];
} & (
  | {
      readonly as: "members";
      /** Whether no rule is left: whether members then stay is not documented. */
      readonly ends: boolean;
      /** Whether the user of the credentials may be among those who lose it. */
      readonly locksOut: boolean;
      /** Users that the rule matches before and after, whether they have it or not. */
      readonly before: PeopleCount;
      readonly after: PeopleCount;
      readonly gains: PeopleCount;
      readonly loses: PeopleCount;
      readonly keeps: PeopleCount;
      /** Users whom both rules match, whether they have it or not. */
      readonly both: PeopleCount;
      readonly others: PeopleCount;
    }
  | {
      readonly as: "audience";
      /** Whether it makes the first review of its template, and whether it asks for the same users as before. */
      readonly isNew: boolean;
      readonly isSame: boolean;
      /** Whether nothing changes that decides who is in the review: no one was then asked about. */
      readonly isStill: boolean;
      readonly before: PeopleCount;
      readonly after: PeopleCount;
      readonly enters: PeopleCount;
      readonly leaves: PeopleCount;
      /** What is added to the review and taken from it, with how many grants each has; null where that is unknown. */
      readonly added: readonly HeldRef[];
      readonly removed: readonly HeldRef[];
      /** How many accounts of the reviewed apps fit its account criteria; absent where that was not counted. */
      readonly accounts?: { readonly before: Extent; readonly after: Extent };
      /** Parts of the scope that narrow the review further, and that were not counted: `grants (daysSinceLastUsed)`. */
      readonly notCounted: readonly string[];
      /** Null where the campaigns could not be read. */
      readonly campaigns: TemplateCampaigns | null;
    }
  | {
      readonly as: "holdings";
      /** What goes with an object that is deleted; null where that could not be read. */
      readonly resources: Extent | null;
      readonly entitlements: Extent | null;
      readonly automations: Extent | null;
      readonly grants: Extent | null;
      /** The people who have these grants, and lose them. */
      readonly people: PeopleCount;
    }
  | {
      /** What those get who are enrolled: of each, whether it applies to someone who is already enrolled is not documented. */
      readonly as: "enrolled";
      readonly gains: PeopleCount;
      readonly loses: PeopleCount;
    }
);

/** The campaigns of a template, as far as a change of its scope concerns them. */
export interface TemplateCampaigns {
  /** The last one that was started; null where none was. */
  readonly last: CampaignFacts | null;
  /** Those that are cut and not closed: they keep the scope that they were cut with. */
  readonly open: readonly CampaignFacts[];
}

/** One campaign in the service's own numbers. */
export interface CampaignFacts {
  readonly name: string;
  readonly isRunning: boolean;
  /** How many tasks it has by the service's own count; null where it gave none. */
  readonly tasks: number | null;
  /** When it closes by itself, and what happens then to what was not reviewed; null where it does not. */
  readonly closes: { readonly at: string; readonly decision: string } | null;
}

export interface HeldRef extends EntitlementRef {
  readonly grants: number | null;
  /** Its display name; null where that was not read. */
  readonly name: string | null;
}

/** A value of an attribute that a rule asks for and no user has. */
export interface UnmetValue {
  /** Such as `department`, or `profile.costCenter`. */
  readonly attribute: string;
  readonly value: string;
  readonly nearest: readonly string[];
}

/** Who gains and who loses access, by what they have of one attribute. */
export interface Spread {
  /** Such as `department`, or `profile.costCenter`. */
  readonly attribute: string;
  /** With the most people first, the others last. */
  readonly values: readonly SpreadValue[];
}

/** A value that at least five of those have who may gain or lose; null for all others together. */
export interface SpreadValue {
  readonly value: string | null;
  readonly gains: BoundedRange;
  readonly loses: BoundedRange;
}

/** Who would newly hold both sides of a conflict, or its group A without its group B. */
export interface ConflictImpact extends ConflictGroups {
  readonly address: Address;
  readonly newly: PeopleCount;
  /** The steps that move people in its groups. */
  readonly movedBy: readonly Address[];
  /** The entitlements in its groups whose holders were not read. */
  readonly unread: readonly { readonly appId: string; readonly id: string; readonly name: string | null }[];
}

/** What a plan means for people: an observation beside its steps. It decides nothing that an apply does. */
export interface PlanImpact {
  /**
   * How many users were asked about, and whether those are all. `where`: only users with one of these values were read,
   * because no rule of the plan can match another; null where everybody was.
   */
  readonly users: {
    readonly read: number;
    readonly areAll: boolean;
    readonly where: Readonly<Record<string, readonly string[]>> | null;
  };
  readonly steps: readonly StepImpact[];
  /** Who gains, loses, enters and leaves by all steps that were counted and all rules that follow them: each person once. */
  readonly together: Readonly<Record<"gains" | "loses" | "enters" | "leaves", BoundedRange>>;
  /** Those who gain and lose `together`, by the attributes that rules ask for. */
  readonly spread: readonly Spread[];
  /**
   * Rules and reviews that stay and ask for an entitlement whose rule the plan changes, or whose rule follows. `counts`: who
   * gains and loses by their next runs, or enters and leaves; null where that was not counted.
   */
  readonly follow: readonly {
    readonly address: Address;
    readonly as: "members" | "audience";
    /** The rules whose entitlements it asks for. */
    readonly asksFor: readonly Address[];
    readonly counts: { readonly gains: PeopleCount; readonly loses: PeopleCount } | null;
  }[];
  /**
   * Members of the profile that a rule asks for, and that no user has who was read. `nearest` is an attribute that some
   * have; null where none is near.
   */
  readonly unknownAttributes: readonly {
    readonly address: Address;
    readonly name: string;
    readonly nearest: string | null;
  }[];
  /**
   * Rules that are new, or held for no one, and hold for no one. `unmet`: the values they ask for that no user has, with
   * the nearest that several users have; never a value that says who someone is.
   */
  readonly withoutPeople: readonly {
    readonly address: Address;
    readonly unmet: readonly UnmetValue[];
  }[];
  /** The conflicts whose groups the plan moves, by address; absent where it moves none. */
  readonly conflicts?: readonly ConflictImpact[];
  /** Steps whose people were not counted, and why. */
  readonly uncounted: readonly { readonly address: Address; readonly why: string }[];
  /** Reads that failed, each with what it was for. */
  readonly failed: readonly { readonly what: string; readonly why: string }[];
  /** Calls made to count, by what they were for. */
  readonly calls: Readonly<Record<string, number>>;
}

/** The same plan without names of people: for files, logs and comments, which others may read. */
export function hidePeople<P extends { readonly impact: PlanImpact | null }>(plan: P): P {
  if (plan.impact === null) return plan;
  const steps = plan.impact.steps.map((step) => withoutNames(step));
  const follow = plan.impact.follow.map((one) => ({
    ...one,
    counts: one.counts && withoutNames(one.counts),
  }));
  const conflicts = plan.impact.conflicts?.map(withoutNames);
  return { ...plan, impact: { ...plan.impact, steps, follow, ...(conflicts && { conflicts }) } };
}

function withoutNames<S extends object>(counts: S): S {
  const hidden = Object.entries(counts).map(([name, value]) => [
    name,
    isCount(value) ? { ...value, people: null } : value,
  ]);
  return Object.fromEntries(hidden) as S;
}

function isCount(value: unknown): value is PeopleCount {
  return typeof value === "object" && value !== null && "certainty" in value;
}

/** The most people that a plan names for one number. */
const MOST_NAMED = 1_000;

/** A count as a plan keeps it; with `names`, those who may be among them by name. */
export function peopleCount(count: Count, names: ((id: string) => NamedPerson) | null): PeopleCount {
  return {
    certainty: certaintyOf(count),
    low: count.low,
    high: count.high,
    assumed: count.assumed,
    assumptions: count.assumptions.map((assumption: Assumption) => ASSUMPTIONS[assumption]),
    people: names === null ? null : count.people.map(names).sort(byName).slice(0, MOST_NAMED),
  };
}

/** In the order in which a reader looks for a name; ids decide between two of one name. */
function byName(one: NamedPerson, other: NamedPerson): number {
  const [a, b] = [one, other].map(({ id, name, email }) => `${(name || email).toLowerCase()}\n${id}`);
  return (a ?? "") < (b ?? "") ? -1 : 1;
}

export type Holdings = Extract<StepImpact, { as: "holdings" }>;

export type Audience = Extract<StepImpact, { as: "audience" }>;

/** How people are counted. */
export interface Counting {
  /** Which rules are asked about: those that the plan changes, or all that it is about. */
  readonly about: "changes" | "all rules";
  /** The most calls that counting may make. */
  readonly calls: number;
  /** Whether the plan names people: names are personal data. */
  readonly names: boolean;
  readonly evaluate: Evaluate;
  /** The start of today: `now()` of a rule. */
  readonly today: Date;
}
