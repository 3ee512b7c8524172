import type { Evaluate } from "./evaluate.js";
import { type Holding, holding } from "./holding.js";
import type { Person } from "./person.js";

/** What holds for each person of a page: before an edit, and after it. */
export type Pairs = (people: readonly Person[]) => readonly (readonly [Holding, Holding])[];

/** The longest that the expressions of one edit may take in all, in milliseconds. */
const DEADLINE = 5_000;

const TOO_LONG = holding(null, "the expression takes too long");

/** Asks two rules about pages of people. Once they have taken too long, the rest is unknown. */
export function askBoth(
  before: (person: Person) => Holding,
  after: (person: Person) => Holding,
  evaluate: Evaluate,
): Pairs {
  let left = DEADLINE;
  return (people) => {
    const judged: (readonly [Holding, Holding])[] = [];
    const work = () => {
      for (const person of people) judged.push([before(person), after(person)]);
    };
    const ran = left > 0 ? evaluate(work, left) : null;
    left = ran === null ? 0 : Math.max(1, Math.floor(left - ran.milliseconds));
    return people.map((_person, at) => judged[at] ?? [TOO_LONG, TOO_LONG]);
  };
}
