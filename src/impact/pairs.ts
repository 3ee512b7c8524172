import type { Evaluate } from "./evaluate.js";
import { type Holding, holding } from "./holding.js";
import type { Person } from "./person.js";

/** What holds for each person of a page: before an edit, and after it. */
export type Pairs = (people: readonly Person[]) => readonly (readonly [Holding, Holding])[];

/** The longest that one expression of an edit may take in all, in milliseconds. */
const DEADLINE = 5_000;

/** Why an answer is unknown that was not there in time. */
export const TOO_LONG = "the expression takes too long";

/** Asks two rules about pages of people. Once one has taken too long, the rest of its answers is unknown. */
export function askBoth(
  before: (person: Person) => Holding,
  after: (person: Person) => Holding,
  evaluate: Evaluate,
): Pairs {
  // A rule that is slow says nothing about the other one.
  const [was, is] = [inTime(before, evaluate), inTime(after, evaluate)];
  return (people) => {
    const now = is(people);
    return was(people).map((one, at) => [one, now[at] ?? LATE] as const);
  };
}

const LATE = holding(null, TOO_LONG);

function inTime(
  rule: (person: Person) => Holding,
  evaluate: Evaluate,
): (people: readonly Person[]) => readonly Holding[] {
  let left = DEADLINE;
  return (people) => {
    const judged: Holding[] = [];
    const work = () => {
      for (const person of people) judged.push(rule(person));
    };
    const ran = left > 0 ? evaluate(work, left) : null;
    left = ran === null ? 0 : Math.max(1, Math.floor(left - ran.milliseconds));
    return people.map((_person, at) => judged[at] ?? LATE);
  };
}
