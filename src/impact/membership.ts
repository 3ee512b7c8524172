import type { Condition } from "./automation.js";
import { type Count, NONE, Tally } from "./count.js";
import type { Evaluate } from "./evaluate.js";
import { type Holding, holding, inclusionOf, type Truth } from "./holding.js";
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

/** What an edit of an automation means for people. */
export interface MembershipImpact {
  readonly gains: Count;
  readonly loses: Count;
  readonly keeps: Count;
  /** Members that neither rule matches: they came by hand or by a request, and stay. */
  readonly others: Count;
  /** Why the rule is unknown for some people, and for how many; the most frequent first. */
  readonly unknown: readonly Unclear[];
  readonly asked: number;
}

export interface Edit {
  readonly before: Condition;
  readonly after: Condition;
  readonly members: Known;
  readonly exclusions: Known;
}

/** Counts who an edit concerns, a page of people at a time, so that no more than a page is held. */
export interface MembershipTally {
  add(people: readonly Person[]): void;
  /** The numbers; `areAll` says whether everybody was added. */
  impact(areAll: boolean): MembershipImpact;
}

/** Who gains, loses and keeps an entitlement by an edit of its automation. The reasons of grants are not needed. */
export function tallyMembership(edit: Edit, evaluate: Evaluate): MembershipTally {
  const { before, after, members, exclusions } = edit;
  const [gains, loses, keeps, others] = [new Tally(), new Tally(), new Tally(), new Tally()];
  const ask = askBoth(before.about, after.about, evaluate);
  const unclear = new Map<string, number>();
  const read = new Set<string>();

  function add({ id }: Person, old: Holding, fresh: Holding): void {
    const facts = [old, fresh, holding(isIn(members, id)), holding(isIn(exclusions, id))];
    gains.add(id, inclusionOf(facts, isGain));
    loses.add(id, inclusionOf(facts, isLoss));
    keeps.add(id, inclusionOf(facts, isKept));
    others.add(id, inclusionOf(facts, isOther));
    read.add(id);
  }

  return {
    add(people) {
      const pairs = ask(people);
      countReasons(
        pairs.map(([old, fresh]) => fresh.why ?? old.why),
        unclear,
      );
      pairs.forEach(([old, fresh], at) => {
        const person = people[at];
        if (person !== undefined) add(person, old, fresh);
      });
    },
    impact(areAll) {
      const strangers = areAll ? 0 : null;
      return {
        gains: after.as === "ends" ? NONE : gains.count(strangers),
        loses: lossesOf(loses, areAll, members, read),
        keeps: keeps.count(strangers),
        others: others.count(strangers),
        unknown: sortReasons(unclear),
        asked: read.size,
      };
    },
  };
}

// A person matched by both rules, and not a member yet, gets it by the old rule as well.
function isGain([old, fresh, member, excluded]: readonly (Truth | undefined)[]) {
  return {
    certain: old === false && fresh === true && member === false && excluded === false,
    possible: old !== true && fresh !== false && member !== true && excluded !== true,
  };
}

// A member who was also added by hand stays, and the service does not say who was.
function isLoss([old, fresh, member]: readonly (Truth | undefined)[]) {
  return { certain: false, possible: old !== false && fresh !== true && member !== false };
}

function isKept([old, fresh, member]: readonly (Truth | undefined)[]) {
  return {
    certain: old === true && fresh === true && member === true,
    possible: old !== false && fresh !== false && member !== false,
  };
}

function isOther([old, fresh, member]: readonly (Truth | undefined)[]) {
  return {
    certain: old === false && fresh === false && member === true,
    possible: old !== true && fresh !== true && member !== false,
  };
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
