import { type Condition, type Equality, readCondition } from "./condition.js";

/**
 * Whom an expression can hold for: all people, none of them, or some, which depends on who they are. `undecided` is what
 * may hold for all people: it is too large, or has a part that is the same for all people and that remit does not evaluate.
 * `unjudged` is what may hold for all people by a part that asks about each of them and that remit does not evaluate.
 */
type Reach = "everyone" | "no one" | "depends" | "undecided" | "unjudged";

/** More parts than this whose answers are not known are not tried in every combination. */
const MOST_UNKNOWN_PARTS = 6;

type Test = Extract<Condition, { readonly as: "test" }>;

type Case = Map<string, boolean>;

/** So many parts are looked at: a finding must not depend on how fast the machine is. */
const MOST_STEPS = 1_000_000;

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

/**
 * Whether a condition can have a value, for some answers to its tests of a person; `known` answers the others, and what it
 * leaves out is unknown. Null where that takes too many steps.
 */
function satisfiable(
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
