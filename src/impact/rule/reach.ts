import { type Condition, readCondition } from "./condition.js";
import { satisfiable } from "./satisfiable.js";

/**
 * Whom an expression can hold for: all people, none of them, or some, which depends on who they are. `undecided` is what
 * may hold for all people: it is too large, or has a part that is the same for all people and that remit does not evaluate.
 */
export type Reach = "everyone" | "no one" | "depends" | "undecided";

/** More parts than this that are the same for all people are not tried in every combination. */
const MOST_COMMON_PARTS = 6;

/**
 * Whom an expression can hold for, decided with every attribute of a person unknown: by what it means, not by how it
 * is written.
 */
export function reachOf(expression: string): Reach {
  try {
    const condition = readCondition(expression);
    if (condition === "not an expression") return "depends";
    return condition === "too large" ? "undecided" : reachOfCondition(condition);
  } catch (error) {
    if (error instanceof RangeError) return "undecided";
    throw error;
  }
}

function reachOfCondition(condition: Condition): Reach {
  const tests = testsIn(condition);
  const common = tests.filter(({ isOfPerson }) => !isOfPerson).map(({ name }) => name);
  const ofPerson = tests.filter(({ isOfPerson }) => isOfPerson);
  // Someone for whom it does not hold, whatever the other parts are.
  const [isFalse, isTrue] = [false, true].map((want) => satisfiable(condition, want, ofPerson, new Map()));
  if (common.length === 0) {
    if (isFalse === false) return "everyone";
    if (isTrue === false) return "no one";
    return isFalse === true ? "depends" : "undecided";
  }
  if (isFalse === true) return "depends";
  if (common.length > MOST_COMMON_PARTS) return "undecided";
  const cases = Array.from({ length: 2 ** common.length }, (_, bits) =>
    satisfiable(
      condition,
      false,
      ofPerson,
      new Map(common.map((name, place) => [name, (bits & (1 << place)) !== 0])),
    ),
  );
  if (cases.every((one) => one === true)) return "depends";
  return cases.every((one) => one === false) ? "everyone" : "undecided";
}

type Test = Extract<Condition, { readonly as: "test" }>;

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
