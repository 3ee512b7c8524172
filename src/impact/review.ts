import type { Askable } from "./alike.js";
import type { Evaluate } from "./census.js";
import { type Count, NONE, Reasons, Tally, UNCOUNTED, type Unclear } from "./count.js";
import { type Holding, holding, inclusionOf, type Truth } from "./holding.js";
import { holds } from "./outcome.js";
import { askBoth } from "./pairs.js";
import type { Person } from "./person.js";

/** What an edit of a scope means for the users that it asks for. */
export interface ReviewImpact {
  /** Users that the scope matches before and after the edit. */
  readonly before: Count;
  readonly after: Count;
  /** Users who enter or leave the review: those who hold something under review, before or after. */
  readonly enters: Count;
  readonly leaves: Count;
  readonly unknown: readonly Unclear[];
}

/** Of an edit that leaves everything as it was that decides who is in the review. */
export const SAME_REVIEW: ReviewImpact = {
  before: UNCOUNTED,
  after: UNCOUNTED,
  enters: NONE,
  leaves: NONE,
  unknown: [],
};

/** What is reviewed of the users that a scope asks for, before and after its edit. */
export interface UnderReview {
  /** Whether it makes the first review of its template. */
  readonly isNew: boolean;
  /** Whether the scope asks for the same users. */
  readonly isSame: boolean;
  /** Whether another part of the scope changes that decides what is reviewed. */
  readonly isOtherwise: boolean;
  /** Whether a part of the scope leaves out some of what the users hold. */
  readonly narrows: { readonly before: boolean; readonly after: boolean };
  /** Whether a person holds something under review: before, after, and of what is added or taken out. */
  readonly held: (id: string) => { readonly before: Truth; readonly after: Truth; readonly moved: Truth };
}

/** Counts whom an edit of a scope concerns, a page of people at a time. */
export interface ReviewTally {
  add(people: readonly Person[]): void;
  impact(areAll: boolean, reviewed: UnderReview): ReviewImpact;
}

/** People of whom a scope says the same, before its edit and after. */
interface AskedAlike {
  readonly ids: readonly string[];
  readonly was: Holding;
  readonly is: Holding;
}

/** Who enters and leaves a review by an edit of its scope. */
export function tallyReview(before: Askable, after: Askable, evaluate: Evaluate): ReviewTally {
  const ask = askBoth(before, after, evaluate);
  const unclear = new Reasons();
  const asked: AskedAlike[] = [];

  return {
    add(people) {
      ask(people, (places, was, is) => {
        unclear.add(was, is, places.length);
        asked.push({ ids: places.map((place) => people[place]?.id ?? ""), was, is });
      });
    },
    impact(areAll, reviewed) {
      const [old, fresh, enters, leaves] = [new Tally(), new Tally(), new Tally(), new Tally()];
      for (const { ids, was, is } of asked) {
        old.add(ids, inclusionOf([was], holds));
        fresh.add(ids, inclusionOf([is], holds));
        for (const [held, some] of byHeld(ids, reviewed)) {
          const facts = [was, is, ...held.map((truth) => holding(truth))];
          enters.add(
            some,
            inclusionOf(facts, (truths) => moves(truths, reviewed).enters),
          );
          leaves.add(
            some,
            inclusionOf(facts, (truths) => moves(truths, reviewed).leaves),
          );
        }
      }
      const strangers = areAll ? 0 : null;
      return {
        before: reviewed.isNew ? NONE : old.count(strangers),
        after: fresh.count(strangers),
        enters: enters.count(strangers),
        leaves: reviewed.isNew ? NONE : leaves.count(strangers),
        unknown: unclear.sorted(),
      };
    },
  };
}

/** People by what they hold. */
function byHeld(
  ids: readonly string[],
  { held }: UnderReview,
): readonly (readonly [held: readonly Truth[], ids: readonly string[]])[] {
  const groups = new Map<string, { readonly held: readonly Truth[]; readonly ids: string[] }>();
  for (const id of ids) {
    const { before, after, moved } = held(id);
    const name = `${before} ${after} ${moved}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { held: [before, after, moved], ids: [id] });
    else group.ids.push(id);
  }
  return [...groups.values()].map((group) => [group.held, group.ids]);
}

const NEITHER = { certain: false, possible: false };

/** Whether a person enters or leaves, where the scope asks for them so, and they hold so much of what is reviewed. */
function moves(
  [was = null, is = null, had = null, has = null, moved = null]: readonly (Truth | undefined)[],
  { isNew, isSame, isOtherwise, narrows }: UnderReview,
) {
  const isUntouched = (isSame || (was === is && was !== null)) && moved === false && !isOtherwise;
  if (isUntouched && !isNew) return { enters: NEITHER, leaves: NEITHER };
  const old = isNew ? false : both(was, had, narrows.before ? null : true);
  const fresh = both(is, has, narrows.after ? null : true);
  return {
    enters: { certain: old === false && fresh === true, possible: old !== true && fresh !== false },
    leaves: { certain: old === true && fresh === false, possible: old !== false && fresh !== true },
  };
}

function both(...truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}
