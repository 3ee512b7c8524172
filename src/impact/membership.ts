import type { Condition } from "./automation.js";
import { type Count, NONE, Tally } from "./count.js";
import type { Evaluate } from "./evaluate.js";
import { type Holding, holding, inclusionOf, type Truth } from "./holding.js";
import { holds, isGain, isKept, isLoss, isOther } from "./outcome.js";
import { askBoth } from "./pairs.js";
import type { Person } from "./person.js";
import { countReasons, sortReasons, type Unclear } from "./unclear.js";

/** Who is known to be in a set of people, such as the members of a group. */
export interface Known {
  /** By id: whether the person is in it. */
  readonly people: ReadonlyMap<string, boolean>;
  /** Whether everybody else is not in it. */
  readonly isComplete: boolean;
  /** The service's own count of it; null where it gave none. */
  readonly count: number | null;
}

/** A set of which nothing is known. */
export const NOT_KNOWN: Known = { people: new Map(), isComplete: false, count: null };

/** What an edit of an automation means for people. */
export interface MembershipImpact {
  /** People whom the rule matches before and after the edit, whether they have it or not. */
  readonly before: Count;
  readonly after: Count;
  readonly gains: Count;
  readonly loses: Count;
  readonly keeps: Count;
  /** Members that neither rule matches: they came by hand or by a request, and stay. */
  readonly others: Count;
  /** Why the rule is unknown for some people, and for how many; the most frequent first. */
  readonly unknown: readonly Unclear[];
}

/** What is known beside the rules. */
export interface Facts {
  /** Whether everybody was added whom one of the rules can match. */
  readonly areAll: boolean;
  /** Whether people were left out because no rule can match them. */
  readonly isNarrowed: boolean;
  readonly members: Known;
  readonly exclusions: Known;
}

/**
 * Counts whom an edit concerns, a page of people at a time. Only the people that one of the rules may match are held:
 * the others neither gain nor lose.
 */
export interface MembershipTally {
  add(people: readonly Person[]): void;
  /** Ids of those who gain or lose, depending on whether they are members. */
  undecided(): readonly string[];
  impact(facts: Facts): MembershipImpact;
}

interface Matched {
  readonly id: string;
  readonly old: Holding;
  readonly fresh: Holding;
}

/** Who gains, loses and keeps an entitlement by an edit of its automation. The reasons of grants are not needed. */
export function tallyMembership(before: Condition, after: Condition, evaluate: Evaluate): MembershipTally {
  const ask = askBoth(before.about, after.about, evaluate);
  const unclear = new Map<string, number>();
  const read = new Set<string>();
  const matched: Matched[] = [];
  return {
    add(people) {
      const pairs = ask(people);
      countReasons(
        pairs.map(([old, fresh]) => fresh.why ?? old.why),
        unclear,
      );
      pairs.forEach(([old, fresh], at) => {
        const id = people[at]?.id ?? "";
        read.add(id);
        if (isPossible([old, fresh], isMatch)) matched.push({ id, old, fresh });
      });
    },
    undecided: () =>
      matched
        .filter(({ old, fresh }) => {
          const facts = [old, fresh, UNKNOWN, UNKNOWN];
          return isPossible(facts, isGain) || isPossible(facts, isLoss);
        })
        .map(({ id }) => id),
    impact({ areAll, isNarrowed, members, exclusions }) {
      const [gains, loses, keeps, others] = [new Tally(), new Tally(), new Tally(), new Tally()];
      const [was, is] = [new Tally(), new Tally()];
      for (const { id, old, fresh } of matched) {
        const facts = [old, fresh, holding(isIn(members, id)), holding(isIn(exclusions, id))];
        gains.add(id, inclusionOf(facts, isGain));
        loses.add(id, inclusionOf(facts, isLoss));
        keeps.add(id, inclusionOf(facts, isKept));
        others.add(id, inclusionOf(facts, isOther));
        was.add(id, inclusionOf([old], holds));
        is.add(id, inclusionOf([fresh], holds));
      }
      const isMatched = new Set(matched.map(({ id }) => id));
      const unmatched = [...members.people].filter(([id, isMember]) => isMember && !isMatched.has(id));
      const isKnown = (id: string) => read.has(id) || (areAll && isNarrowed);
      for (const [id] of unmatched) if (isKnown(id)) others.add(id, CERTAIN);
      const strangers = areAll ? 0 : null;
      return {
        before: was.count(before.as === "ends" ? 0 : strangers),
        after: is.count(after.as === "ends" ? 0 : strangers),
        gains: after.as === "ends" ? NONE : gains.count(strangers),
        loses: lossesOf(loses, areAll, members, read),
        keeps: keeps.count(strangers),
        others: others.count(areAll && members.isComplete ? 0 : null),
        unknown: sortReasons(unclear),
      };
    },
  };
}

const UNKNOWN = holding(null);

const CERTAIN = { certain: true, possible: true, assumed: true, assumptions: [] };

function isPossible(facts: readonly Holding[], question: Parameters<typeof inclusionOf>[1]): boolean {
  return inclusionOf(facts, question).possible;
}

function isMatch([old, fresh]: readonly (Truth | undefined)[]) {
  return { certain: old === true || fresh === true, possible: old !== false || fresh !== false };
}

function isIn({ people, isComplete }: Known, id: string): Truth {
  return people.get(id) ?? (isComplete ? false : null);
}

// Only a member can lose it, so members bound the losses even where not all people were read.
function lossesOf(loses: Tally, areAll: boolean, members: Known, read: ReadonlySet<string>): Count {
  if (areAll) return capped(loses.count(), members);
  if (!members.isComplete) return capped(loses.count(null), members);
  const strangers = [...members.people].filter(([id, isMember]) => isMember && !read.has(id)).length;
  return loses.count(strangers);
}

function capped(count: Count, { isComplete, count: members }: Known): Count {
  if (isComplete || members === null || (count.high !== null && count.high <= members)) return count;
  return { ...count, high: members, assumptions: [...count.assumptions, "memberCount"] };
}
