import type { Condition, Equality } from "./condition.js";

export type Test = Extract<Condition, { readonly as: "test" }>;
type Case = Map<string, boolean>;

/** So many parts are looked at: a finding must not depend on how fast the machine is. */
const MOST_STEPS = 1_000_000;

/**
 * Whether a condition can have a value, for some answers to its tests of a person; `known` answers the others, and what it
 * leaves out is unknown. Null where that takes too many steps.
 */
export function satisfiable(
  condition: Condition,
  want: boolean,
  tests: readonly Test[],
  known: ReadonlyMap<string, boolean>,
): boolean | null {
  let steps = 0;
  const leaning = leaningsOf(condition, want);
  const guess = (name: string) => leaning.get(name) ?? false;
  const liked = likely(tests, guess, known);
  if (valueFor(liked) === want) return true;
  return search(0, new Map(known));

  function search(place: number, isTrue: Case): boolean | null {
    const value = valueFor(isTrue);
    if (steps > MOST_STEPS) return null;
    const test = tests[place];
    if (value !== null || test === undefined) return value === want;
    let isSure = true;
    for (const answer of [guess(test.name), !guess(test.name)]) {
      if (answer && !isPossible(test, tests, isTrue)) continue;
      const found = search(place + 1, new Map(isTrue).set(test.name, answer));
      if (found === true) return true;
      if (found === null) isSure = false;
      if (steps > MOST_STEPS) return null;
    }
    return isSure ? false : null;
  }

  /** The value as far as it is the same whatever the other tests say. What a condition has twice is looked at once. */
  function valueFor(isTrue: ReadonlyMap<string, boolean>): boolean | null {
    const seen = new Map<Condition, boolean | null>();
    return visit(condition);

    function visit(part: Condition): boolean | null {
      const before = seen.get(part);
      if (before !== undefined) return before;
      steps += 1;
      const value = steps > MOST_STEPS ? null : decide(part);
      seen.set(part, value);
      return value;
    }

    function decide(part: Condition): boolean | null {
      switch (part.as) {
        case "constant":
          return part.value;
        case "test":
          return isTrue.get(part.name) ?? null;
        case "not": {
          const inner = visit(part.inner);
          return inner === null ? null : !inner;
        }
        default: {
          const decides = part.as === "or";
          const one = visit(part.parts[0]);
          if (one === decides) return decides;
          const other = visit(part.parts[1]);
          if (other === decides) return decides;
          return one === null || other === null ? null : !decides;
        }
      }
    }
  }
}

/** The answer to each test that leads to a value where nothing else does. */
function leaningsOf(condition: Condition, want: boolean): ReadonlyMap<string, boolean> {
  const leaning = new Map<string, boolean>();
  const visited = { true: new Set<Condition>(), false: new Set<Condition>() };
  const open: (readonly [Condition, boolean])[] = [[condition, want]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [part, towards] = next;
    const seen = visited[towards ? "true" : "false"];
    if (seen.has(part)) continue;
    seen.add(part);
    if (part.as === "test") leaning.set(part.name, towards);
    else if (part.as === "not") open.push([part.inner, !towards]);
    else if (part.as !== "constant") open.push([part.parts[0], towards], [part.parts[1], towards]);
  }
  return leaning;
}

/** All tests answered as they lean, as far as that is possible. */
function likely(
  tests: readonly Test[],
  guess: (name: string) => boolean,
  known: ReadonlyMap<string, boolean>,
): Case {
  const taken = new Set<string>();
  const isTrue: Case = new Map(known);
  for (const { name, equals } of tests) {
    const isFree = equals === null || !taken.has(equals.attribute);
    isTrue.set(name, guess(name) && isFree);
    if (guess(name) && isFree && equals !== null) taken.add(equals.attribute);
  }
  return isTrue;
}

/** One attribute is equal to one literal at most. */
function isPossible(
  { equals }: Pick<Test, "equals">,
  tests: readonly Test[],
  isTrue: ReadonlyMap<string, boolean>,
): boolean {
  if (equals === null) return true;
  const isSame = (other: Equality | null) => other !== null && other.attribute === equals.attribute;
  return !tests.some((other) => isSame(other.equals) && isTrue.get(other.name) === true);
}
