import { type Condition, readCondition } from "./condition.js";
import { satisfiable, type Test } from "./satisfiable.js";

/**
 * Whom an expression can hold for: all people, none of them, or some, which depends on who they are. `undecided` is what
 * may hold for all people: it is too large, or has a part that is the same for all people and that remit does not evaluate.
 * `unjudged` is what may hold for all people by a part that asks about each of them and that remit does not evaluate.
 */
type Reach = "everyone" | "no one" | "depends" | "undecided" | "unjudged";

/** More parts than this whose answers are not known are not tried in every combination. */
const MOST_UNKNOWN_PARTS = 6;

/**
 * Whom an expression can hold for, decided with every attribute of a person unknown: by what it means, not by how it
 * is written.
 */
export function reachOf(expression: string): Reach {
  const read = readingOf(expression);
  if (read === "not an expression") return "depends";
  return read === "too large" ? "undecided" : reachOfCondition(read);
}

/** The functions of an expression that remit does not evaluate; null for none. */
export function unreadBy(expression: string): string | null {
  const read = readingOf(expression);
  if (typeof read === "string") return null;
  const names = testsIn(read).flatMap(({ unread }) => unread ?? []);
  return names.length === 0 ? null : [...new Set(names)].sort().join(" and ");
}

function readingOf(expression: string): ReturnType<typeof readCondition> {
  try {
    return readCondition(expression);
  } catch (error) {
    if (error instanceof RangeError) return "too large";
    throw error;
  }
}

function reachOfCondition(condition: Condition): Reach {
  const tests = testsIn(condition);
  // No one at all, whatever the answers to all of its tests are.
  if (satisfiable(condition, true, tests, new Map()) === false) return "no one";
  const found = reachBy(condition, tests, ({ isOfPerson }) => isOfPerson);
  if (found !== "depends") return found;
  const judged = reachBy(condition, tests, ({ isOfPerson, unread }) => isOfPerson && unread === null);
  return judged === "depends" ? "depends" : "unjudged";
}

/** Whom a condition can hold for, where each person answers some of its tests, and no one knows the answers to the others. */
function reachBy(condition: Condition, tests: readonly Test[], answers: (test: Test) => boolean): Reach {
  const ofPerson = tests.filter(answers);
  const others = tests.filter((test) => !answers(test)).map(({ name }) => name);
  // Someone for whom it does not hold, whatever the other parts are.
  const isFalse = satisfiable(condition, false, ofPerson, new Map());
  if (isFalse === true) return "depends";
  if (others.length === 0) return isFalse === false ? "everyone" : "undecided";
  if (others.length > MOST_UNKNOWN_PARTS) return "undecided";
  const cases = Array.from({ length: 2 ** others.length }, (_, bits) =>
    satisfiable(
      condition,
      false,
      ofPerson,
      new Map(others.map((name, place) => [name, (bits & (1 << place)) !== 0])),
    ),
  );
  if (cases.every((one) => one === true)) return "depends";
  return cases.every((one) => one === false) ? "everyone" : "undecided";
}

/** The tests of a condition, each once. Parts that a condition has twice are visited once. */
function testsIn(condition: Condition): readonly Test[] {
  const tests = new Map<string, Test>();
  const visited = new Set<Condition>();
  const open = [condition];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (visited.has(next)) continue;
    visited.add(next);
    if (next.as === "test") tests.set(next.name, next);
    else if (next.as === "not") open.push(next.inner);
    else if (next.as !== "constant") open.push(...next.parts);
  }
  return [...tests.values()];
}
