import type { Assumption } from "../impact/assumption.js";
import { ASSUMPTIONS } from "../impact/assumption.js";
import { type Certainty, type Count, certaintyOf } from "../impact/count.js";
import type { Unclear } from "../impact/unclear.js";
import type { Concern } from "../kinds/concern.js";
import type { KindOf } from "../kinds/kindOf.js";
import { type EntitlementRef, refName } from "../kinds/people.js";
import type { Address } from "../model/address.js";
import { canonical, type JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Step } from "./step.js";

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
      readonly gains: PeopleCount;
      readonly loses: PeopleCount;
      readonly keeps: PeopleCount;
      readonly others: PeopleCount;
    }
  | {
      readonly as: "audience";
      readonly before: PeopleCount;
      readonly after: PeopleCount;
      readonly enters: PeopleCount;
      readonly leaves: PeopleCount;
      /** What is added to the review and taken from it, with how many grants each has; null where that is unknown. */
      readonly added: readonly HeldRef[];
      readonly removed: readonly HeldRef[];
    }
);

export interface HeldRef extends EntitlementRef {
  readonly grants: number | null;
}

/** What a plan means for people: an observation beside its steps. It decides nothing that an apply does. */
export interface PlanImpact {
  /** How many users were asked about, and whether those are all. */
  readonly users: { readonly read: number; readonly areAll: boolean };
  readonly steps: readonly StepImpact[];
  /** The most people who lose or gain by any step with a bound; each once, where all users were read. */
  readonly together: { readonly loses: number; readonly gains: number };
  /** Steps whose people were not counted, and why. */
  readonly uncounted: readonly { readonly address: Address; readonly why: string }[];
  /** Reads that failed, each with what it was for. */
  readonly failed: readonly { readonly what: string; readonly why: string }[];
  /** Calls made to count, by what they were for. */
  readonly calls: Readonly<Record<string, number>>;
}

/** A step that means something for people: what to ask about them. */
export type PeopleQuestion = { readonly step: Step } & (
  | {
      readonly as: "members";
      readonly entitlement: EntitlementRef;
      /** Null where no rule exists; undefined where the object was not seen. */
      readonly before: JsonObject | null | undefined;
      readonly after: JsonObject | null;
      readonly isNew: boolean;
    }
  | {
      readonly as: "audience";
      readonly before: JsonObject | undefined;
      readonly after: JsonObject;
      readonly added: readonly EntitlementRef[];
      readonly removed: readonly EntitlementRef[];
    }
);

const CHANGING: ReadonlySet<Step["action"]> = new Set(["create", "update", "set", "replace", "delete"]);

/** The steps that change a rule or the users of a scope. Adopting an object changes no one's access. */
export function questionsOf(steps: readonly Step[], kindOf: KindOf): readonly PeopleQuestion[] {
  return steps
    .filter(({ action, key }) => CHANGING.has(action) && key !== null)
    .flatMap((step) => questionOf(step, kindOf(step.address).concern));
}

function questionOf(step: Step, concern: Concern): readonly PeopleQuestion[] {
  const { exists, key } = step;
  const isSeen = exists === "yes" && step.before !== null;
  switch (concern.as) {
    case "nothing":
      return [];
    case "members": {
      const before = isSeen ? concern.rule(step.before ?? {}) : exists === "no" ? null : undefined;
      const after = step.action === "delete" ? null : concern.rule(step.after ?? {});
      if (before !== undefined && canonical(before) === canonical(after)) return [];
      const entitlement = concern.entitlement(key ?? []);
      return [{ step, as: "members", entitlement, before, after, isNew: before === null }];
    }
    case "audience": {
      if (step.after === null) return [];
      const [old, fresh] = [isSeen ? step.before : undefined, step.after];
      const before = old === undefined || old === null ? undefined : concern.scope(old);
      const [had, has] = [old == null ? [] : concern.entitlements(old), concern.entitlements(fresh)];
      return [
        {
          step,
          as: "audience",
          before,
          after: concern.scope(fresh),
          added: without(has, had),
          removed: without(had, has),
        },
      ];
    }
  }
}

function without(
  some: readonly EntitlementRef[],
  others: readonly EntitlementRef[],
): readonly EntitlementRef[] {
  const left = new Set(others.map(refName));
  return some.filter((ref) => !left.has(refName(ref)));
}

/** The same plan without names of people: for files, logs and comments, which others may read. */
export function hidePeople<P extends { readonly impact: PlanImpact | null }>(plan: P): P {
  if (plan.impact === null) return plan;
  const steps = plan.impact.steps.map((step) => withoutNames(step));
  return { ...plan, impact: { ...plan.impact, steps } };
}

function withoutNames<S extends StepImpact>(step: S): S {
  const hidden = Object.entries(step).map(([name, value]) => [
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
    people: names === null ? null : count.people.slice(0, MOST_NAMED).map(names),
  };
}
