import type { AutomationCondition } from "./automation.js";
import type { Evaluate } from "./census.js";
import { type Count, NONE, Reasons, Tally, type Unclear } from "./count.js";
import { type Holding, holding, inclusionOf, type Truth } from "./holding.js";
import { areBoth, holds, isGain, isGiven, isKept, isLoss, isOther, staysIn } from "./outcome.js";
import { askBoth } from "./pairs.js";
import type { Person } from "./person.js";

/** Who is known to be in a set of people, such as the members of a group. */
export interface Known {
  /** By id: whether the person is in it; null where that is not certain. */
  readonly people: ReadonlyMap<string, Truth>;
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
  /** People whom both rules match, whether they have it or not. */
  readonly both: Count;
  /** Members that neither rule matches: they came by hand or by a request, and stay. */
  readonly others: Count;
  /** By id: whether the new rule gives it to a person, for certain or perhaps; it gives it to no one else. */
  readonly given: ReadonlyMap<string, true | null>;
  /** Why the rule is unknown for some people, and for how many; the most frequent first. */
  readonly unknown: readonly Unclear[];
}

/** What is known beside the rules. */
interface Facts {
  /** Whether everybody was added whom one of the rules can match. */
  readonly areAll: boolean;
  /** Whether people were left out because no rule can match them, and those of them who are members were not asked for. */
  readonly areSomeLeftOut: boolean;
  readonly members: Known;
  readonly exclusions: Known;
}

/**
 * Counts whom an edit concerns, a page of people at a time. Only the people that one of the rules may match are held:
 * the others neither gain nor lose.
 */
export interface MembershipTally {
  /** Some people, each of whom counts once. */
  add(people: readonly Person[]): void;
  /** Some of those whom `listed` has, each given once. */
  addListed(people: readonly Person[]): void;
  /** Ids of those who gain or lose, depending on whether they are members. */
  undecided(): readonly string[];
  /** Whether someone may lose it, if they are a member. */
  mayLose(): boolean;
  /** Ids of members who were not among the people so far. */
  strangers(members: Known): readonly string[];
  impact(facts: Facts): MembershipImpact;
}

interface Matched {
  readonly id: string;
  readonly old: Holding;
  readonly fresh: Holding;
}

/**
 * Who gains, loses and keeps an entitlement by an edit of its automation. The reasons of grants are not needed. `listed`
 * are those about whom all rules of a plan are asked: one set for all, which grows while they are read.
 */
export function tallyMembership(
  before: AutomationCondition,
  after: AutomationCondition,
  evaluate: Evaluate,
  listed: ReadonlySet<string> = new Set(),
): MembershipTally {
  const ask = askBoth(before, after, evaluate);
  const unclear = new Reasons();
  const met = new Set<string>();
  const isRead = (id: string) => listed.has(id) || met.has(id);
  const matched: Matched[] = [];
  const strangersAmong = ({ people }: Known) =>
    [...people].flatMap(([id, isMember]) => (isMember !== false && !isRead(id) ? [id] : []));

  function judge(people: readonly Person[]): void {
    const found: (Matched & { readonly place: number })[] = [];
    ask(people, (places, old, fresh) => {
      if (old === NO_MATCH && fresh === NO_MATCH) return;
      unclear.add(old, fresh, places.length);
      if (!isPossible([old, fresh], isMatch)) return;
      for (const place of places) found.push({ place, id: people[place]?.id ?? "", old, fresh });
    });
    // In the order of the list, so that the same people are asked about with the same calls.
    found.sort((one, other) => one.place - other.place);
    for (const { id, old, fresh } of found) matched.push({ id, old, fresh });
  }

  return {
    add(some) {
      const people = some.filter(({ id }) => !isRead(id));
      judge(people);
      for (const { id } of people) met.add(id);
    },
    addListed: judge,
    undecided: () =>
      matched
        .filter(({ old, fresh }) => {
          const facts = [old, fresh, UNKNOWN, UNKNOWN];
          return isPossible(facts, isGain) || isPossible(facts, isLoss);
        })
        .map(({ id }) => id),
    mayLose: () => matched.some(({ old, fresh }) => isPossible([old, fresh, UNKNOWN, UNKNOWN], isLoss)),
    strangers: strangersAmong,
    impact({ areAll, areSomeLeftOut, members, exclusions }) {
      const [gains, loses, keeps, others] = [new Tally(), new Tally(), new Tally(), new Tally()];
      const [was, is, both] = [new Tally(), new Tally(), new Tally()];
      const given = new Map<string, true | null>();
      for (const { id, old, fresh } of matched) {
        const excluded = isIn(exclusions, id);
        const facts = [old, fresh, holding(isIn(members, id)), holding(excluded), staysIn(excluded)];
        gains.add([id], inclusionOf(facts, isGain));
        loses.add([id], inclusionOf(facts, isLoss));
        keeps.add([id], inclusionOf(facts, isKept));
        others.add([id], inclusionOf(facts, isOther));
        was.add([id], inclusionOf([old], holds));
        is.add([id], inclusionOf([fresh], holds));
        both.add([id], inclusionOf([old, fresh], areBoth));
        const gives = inclusionOf([fresh, holding(excluded)], isGiven);
        if (gives.possible) given.set(id, gives.certain ? true : null);
      }
      const isMatched = new Set(matched.map(({ id }) => id));
      for (const [id, isMember] of members.people) {
        if (isMember !== false && !isMatched.has(id) && isRead(id))
          others.add([id], inclusionOf([holding(isMember)], holds));
      }
      // What a rule says of a member whom no list of users showed is unknown, and no one else can lose or keep it.
      const unlisted = members.isComplete ? strangersAmong(members).length : null;
      const strangers = areSomeLeftOut ? null : unlisted;
      const [unread, unasked] = areAll ? [0, strangers ?? 0] : [null, null];
      const [began, ends] = [before.as === "ends", after.as === "ends"];
      return {
        before: began ? NONE : was.count(unasked),
        after: ends ? NONE : is.count(unasked),
        gains: ends ? NONE : gains.count(unread),
        loses: began ? NONE : capped(loses.count(strangers ?? unread), members),
        keeps: began || ends ? NONE : keeps.count(strangers ?? unread),
        both: began || ends ? NONE : both.count(unasked),
        others: others.count(unlisted),
        given,
        unknown: unclear.sorted(),
      };
    },
  };
}

const UNKNOWN = holding(null);
const NO_MATCH = holding(false);

function isPossible(facts: readonly Holding[], question: Parameters<typeof inclusionOf>[1]): boolean {
  return inclusionOf(facts, question).possible;
}

function isMatch([old, fresh]: readonly (Truth | undefined)[]) {
  return { certain: old === true || fresh === true, possible: old !== false || fresh !== false };
}

function isIn({ people, isComplete }: Known, id: string): Truth {
  return people.get(id) ?? (isComplete && !people.has(id) ? false : null);
}

// Only a member can lose it, so the service's own count of them bounds the losses.
function capped(count: Count, { people, isComplete, count: members }: Known): Count {
  if (isComplete || members === null || (count.high !== null && count.high <= members)) return count;
  // A count that is lower than the members who were seen is not current.
  if ([...people.values()].filter((is) => is === true).length > members) return count;
  return { ...count, high: members, assumptions: [...count.assumptions, "memberCount"] };
}
