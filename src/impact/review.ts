import type { Askable } from "./alike.js";
import { type Count, NONE, Tally, UNCOUNTED } from "./count.js";
import type { Evaluate } from "./evaluate.js";
import { inclusionOf, type Truth } from "./holding.js";
import { holds } from "./outcome.js";
import { askBoth } from "./pairs.js";
import type { Person } from "./person.js";
import { countReason, sortReasons, type Unclear } from "./unclear.js";

/** What an edit of a scope means for the users that it asks for. */
export interface ReviewImpact {
  /** Users that the scope matches before and after the edit. */
  readonly before: Count;
  readonly after: Count;
  /** Users who may enter or leave the review: only those who hold something under review do. */
  readonly enters: Count;
  readonly leaves: Count;
  readonly unknown: readonly Unclear[];
  readonly asked: number;
}

/** Of an edit that leaves the users of a scope as they were: they need no count. */
export const SAME_USERS: ReviewImpact = {
  before: UNCOUNTED,
  after: UNCOUNTED,
  enters: NONE,
  leaves: NONE,
  unknown: [],
  asked: 0,
};

/** Counts whom an edit of a scope concerns, a page of people at a time. */
export interface ReviewTally {
  add(people: readonly Person[]): void;
  impact(areAll: boolean): ReviewImpact;
}

/** Who enters and leaves a review by an edit of the users of its scope. */
export function tallyReview(before: Askable, after: Askable, evaluate: Evaluate): ReviewTally {
  const [old, fresh, enters, leaves] = [new Tally(), new Tally(), new Tally(), new Tally()];
  const ask = askBoth(before, after, evaluate);
  const unclear = new Map<string, number>();
  let asked = 0;

  return {
    add(people) {
      ask(people, (places, was, is) => {
        countReason(is.why ?? was.why, places.length, unclear);
        const ids = places.map((place) => people[place]?.id ?? "");
        old.add(ids, inclusionOf([was], holds));
        fresh.add(ids, inclusionOf([is], holds));
        enters.add(ids, inclusionOf([was, is], changes));
        leaves.add(ids, inclusionOf([is, was], changes));
        asked += ids.length;
      });
    },
    impact(areAll) {
      const strangers = areAll ? 0 : null;
      return {
        before: old.count(strangers),
        after: fresh.count(strangers),
        enters: enters.count(strangers),
        leaves: leaves.count(strangers),
        unknown: sortReasons(unclear),
        asked,
      };
    },
  };
}

// A person who holds nothing under review is in no review, so no one enters or leaves for certain.
function changes([was, is]: readonly (Truth | undefined)[]) {
  return { certain: false, possible: was !== true && is !== false };
}
