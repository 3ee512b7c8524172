import { type Alike, type Askable, bothReads, sortBy } from "./alike.js";
import type { Evaluate } from "./census.js";
import { type Holding, holding } from "./holding.js";
import type { Person } from "./person.js";

/** What holds for a person: before an edit, and after it. */
interface Pair {
  readonly before: Holding;
  readonly after: Holding;
}

/** Hears what holds for some people of a page, by their places in it: before an edit, and after it. */
type Hear = (places: readonly number[], before: Holding, after: Holding) => void;

/** Tells what holds for the people of a page, of each once. */
type Pairs = (people: readonly Person[], hear: Hear) => void;

/** The longest that one expression of an edit may take in all, in milliseconds. */
const DEADLINE = 5_000;

/** More answers than this are not kept: hardly two people share what such a rule reads. */
const MOST_KEPT = 1_000;

/** Why an answer is unknown that was not there in time. */
const TOO_LONG = "the expression takes too long";

/**
 * Asks two rules about pages of people, once about all those who share what the rules read. Once a rule has taken too
 * long, the rest of its answers is unknown.
 */
export function askBoth(before: Askable, after: Askable, evaluate: Evaluate): Pairs {
  // A rule that is slow says nothing about the other one.
  const [was, is] = [inTime(before, evaluate), inTime(after, evaluate)];
  const sort = sortBy(bothReads(before.reads, after.reads));
  const kept = new Map<string, Pair>();
  return (people, hear) => {
    const asked: Alike[] = [];
    for (const alike of sort(people)) {
      const known = alike.values === null ? undefined : kept.get(alike.values);
      if (known === undefined) asked.push(alike);
      else hear(alike.places, known.before, known.after);
    }
    if (asked.length === 0) return;
    const subjects = asked.map(({ one }) => one);
    const [old, fresh] = [was(subjects), is(subjects)];
    asked.forEach(({ values, places }, at) => {
      const pair = { before: old[at] ?? LATE, after: fresh[at] ?? LATE };
      if (values !== null && kept.size < MOST_KEPT) kept.set(values, pair);
      hear(places, pair.before, pair.after);
    });
  };
}

const LATE = holding(null, TOO_LONG);

function inTime(
  { about, isQuick }: Askable,
  evaluate: Evaluate,
): (people: readonly Person[]) => readonly Holding[] {
  // To limit the time of a part of a page costs more than most rules do.
  if (isQuick) return (people) => people.map(about);
  let left = DEADLINE;
  return (people) => {
    const judged: Holding[] = [];
    const work = () => {
      for (const person of people) judged.push(about(person));
    };
    const ran = left > 0 ? evaluate(work, left) : null;
    left = ran === null ? 0 : Math.max(1, Math.floor(left - ran.milliseconds));
    return judged;
  };
}
