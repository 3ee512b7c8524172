import { type Condition, type Equality, readCondition } from "./condition.js";

/** Whom an expression can hold for: all people, none of them, or some, which depends on who they are. */
export type Reach = "everyone" | "no one" | "depends";

// Each test of a person doubles the cases; beyond this many, cases are no longer tried one by one.
const MOST_TESTS = 12;

/**
 * Whom an expression can hold for, decided with every attribute of a person unknown: by what it means, not by how it
 * is written. Where that cannot be decided the answer is `depends`.
 */
export function reachOf(expression: string): Reach {
  const condition = readCondition(expression);
  if (condition === null) return "depends";
  const tests = new Map<string, Equality | null>();
  gather(condition, tests);
  const value = tests.size > MOST_TESTS ? decide(condition) : tryCases(condition, tests);
  if (value === null) return "depends";
  return value ? "everyone" : "no one";
}

function gather(condition: Condition, tests: Map<string, Equality | null>): void {
  switch (condition.as) {
    case "constant":
      return;
    case "test":
      tests.set(condition.name, condition.equals);
      return;
    case "not":
      gather(condition.inner, tests);
      return;
    default:
      for (const part of condition.parts) gather(part, tests);
  }
}

/** The value that the condition has in all possible cases; null where the cases differ. */
function tryCases(condition: Condition, tests: ReadonlyMap<string, Equality | null>): boolean | null {
  const names = [...tests.keys()];
  let first: boolean | null = null;
  for (let bits = 0; bits < 2 ** names.length; bits += 1) {
    const isTrue = new Map(names.map((name, place) => [name, (bits & (1 << place)) !== 0]));
    if (!isPossible(isTrue, tests)) continue;
    const value = decide(condition, isTrue) === true;
    if (first !== null && first !== value) return null;
    first = value;
  }
  return first;
}

// One attribute is equal to one literal at most.
function isPossible(
  isTrue: ReadonlyMap<string, boolean>,
  tests: ReadonlyMap<string, Equality | null>,
): boolean {
  const taken = new Set<string>();
  for (const [name, equals] of tests) {
    if (equals === null || isTrue.get(name) !== true) continue;
    if (taken.has(equals.attribute)) return false;
    taken.add(equals.attribute);
  }
  return true;
}

/** The value in one case, or, without a case, as far as it is the same whatever the tests say. */
function decide(condition: Condition, isTrue?: ReadonlyMap<string, boolean>): boolean | null {
  switch (condition.as) {
    case "constant":
      return condition.value;
    case "test":
      return isTrue?.get(condition.name) ?? null;
    case "not": {
      const inner = decide(condition.inner, isTrue);
      return inner === null ? null : !inner;
    }
    default: {
      const [one, other] = condition.parts.map((part) => decide(part, isTrue));
      const settles = condition.as === "or";
      if (one === settles || other === settles) return settles;
      return one === null || other === null ? null : !settles;
    }
  }
}
