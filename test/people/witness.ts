import fc from "fast-check";

/**
 * Worlds in which a plan may move people, and what it does to each of them, by brute force: plain loops over plain data,
 * without anything of remit.
 */

export interface Person {
  readonly name: string;
  readonly department: string;
  readonly jobTitle: string;
}

/** A rule: an attribute with a value, or the holders of a group before it, and whether it takes the others. */
export interface Rule {
  readonly asks: { readonly department: string } | { readonly jobTitle: string } | { readonly group: number };
  readonly isNot: boolean;
}

export interface Group {
  readonly before: Rule | null;
  readonly after: Rule | null;
  /** Who holds it because a person added them. */
  readonly byHand: readonly boolean[];
}

export interface World {
  readonly people: readonly Person[];
  readonly groups: readonly Group[];
  /** The groups that the review is about, before and after. */
  readonly review: { readonly before: readonly number[]; readonly after: readonly number[] };
  /** The groups of which no one may hold one of each, or one of the first without one of the second; null without such a rule. */
  readonly conflict: {
    readonly a: readonly number[];
    readonly b: readonly number[];
    readonly isNegated: boolean;
    readonly isNew: boolean;
  } | null;
  /** Whether the last group's entitlement is deleted, with its rule. */
  readonly isDeleted: boolean;
  /** The rule of a new access profile; null without one. */
  readonly profile: Rule | null;
  readonly refuses: "nothing" | "users" | "grants" | "more calls";
  /** Who leaves the list of users once so many pages of it were given; null where no one does. */
  readonly leaves: { readonly person: number; readonly after: number } | null;
}

const DEPARTMENTS = ["Tax", "Law", "IT"] as const;
const TITLES = ["Analyst", "Director"] as const;
export const GROUPS = 3;
/** The group that the new profile offers. */
export const OFFERED = 0;

const plain = fc.oneof(
  fc.record({ department: fc.constantFrom(...DEPARTMENTS) }),
  fc.record({ jobTitle: fc.constantFrom(...TITLES) }),
);

/** The rule of a group asks for groups before it, so that none asks for itself. */
function ruleFor(group: number): fc.Arbitrary<Rule> {
  const other = fc.record({ group: fc.nat(Math.max(0, group - 1)) });
  const asks =
    group === 0 ? plain : fc.oneof({ arbitrary: plain, weight: 2 }, { arbitrary: other, weight: 1 });
  return fc.record({ asks, isNot: fc.boolean() });
}

/** Rules come, change, stay and go. */
function groupOf(number: number): fc.Arbitrary<Group> {
  const rule = fc.option(ruleFor(number), { freq: 3 });
  const rules = fc.oneof(
    fc.record({ before: rule, after: rule }),
    rule.map((one) => ({ before: one, after: one })),
  );
  const byHand = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });
  return fc.tuple(rules, byHand).map(([both, hands]) => ({ ...both, byHand: hands }));
}

const groups = fc.tuple(groupOf(0), groupOf(1), groupOf(2));
const person = fc.record({
  department: fc.constantFrom(...DEPARTMENTS),
  jobTitle: fc.constantFrom(...TITLES),
});
const some = fc.subarray([0, 1, 2], { minLength: 1 });

/** The group that may be deleted: no rule asks for it. */
export const LAST = 2;

const drawn: fc.Arbitrary<World> = fc.record({
  people: fc
    .array(person, { minLength: 1, maxLength: 8 })
    .map((all) => all.map((one, at) => ({ ...one, name: `u${at}` }))),
  groups,
  review: fc.oneof(
    fc.record({ before: some, after: some }),
    some.map((one) => ({ before: one, after: one })),
  ),
  conflict: fc.option(fc.record({ a: some, b: some, isNegated: fc.boolean(), isNew: fc.boolean() }), {
    freq: 2,
  }),
  isDeleted: fc.boolean(),
  profile: fc.option(fc.record({ asks: plain, isNot: fc.boolean() }), { freq: 2 }),
  refuses: fc.constantFrom("nothing", "nothing", "nothing", "users", "grants", "more calls"),
  leaves: fc.option(fc.record({ person: fc.nat(7), after: fc.integer({ min: 1, max: 5 }) }), { freq: 2 }),
});

/** What of a world may move people, and what hides it. */
export function partsOf({
  groups: all,
  review,
  conflict,
  isDeleted,
  profile,
  refuses,
  leaves,
}: World): readonly string[] {
  const isIn = (test: (group: Group) => boolean) => all.some(test);
  return [
    ...(isIn(({ before: one, after }) => one === null && after !== null) ? ["new rule"] : []),
    ...(isIn(({ before: one, after }) => one !== null && after === null) ? ["rule that ends"] : []),
    ...(isIn(({ after }) => after !== null && "group" in after.asks) ? ["rule that asks for a group"] : []),
    ...(String(review.before) === String(review.after) ? [] : ["review"]),
    ...(conflict === null ? [] : [conflict.isNegated ? "negated conflict" : "conflict"]),
    ...(isDeleted ? ["delete"] : []),
    ...(profile === null ? [] : ["profile"]),
    ...(leaves === null ? [] : ["row that leaves"]),
    refuses,
  ];
}

/** The worlds in one of which a number is counted: with the one who leaves, and without. */
export function momentsOf(world: World): readonly World[] {
  if (world.leaves === null) return [world];
  const { person } = world.leaves;
  const isLeft = (_: unknown, at: number) => at !== person;
  const groups = world.groups.map((group) => ({ ...group, byHand: group.byHand.filter(isLeft) }));
  return [world, { ...world, people: world.people.filter(isLeft), groups }];
}

/** What is deleted has no rule, and no review and no conflict asks for it. */
export const anyWorld: fc.Arbitrary<World> = drawn.map((world) => {
  if (!world.isDeleted) return world;
  const left = (some: readonly number[]) => {
    const others = some.filter((number) => number !== LAST);
    return others.length === 0 ? [OFFERED] : others;
  };
  const { conflict, review } = world;
  return {
    ...world,
    conflict: conflict && { ...conflict, a: left(conflict.a), b: left(conflict.b) },
    groups: world.groups.map((group, number) => (number === LAST ? { ...group, after: null } : group)),
    review: { ...review, after: left(review.after) },
  };
});

/** Who holds each group, by the places of people. */
type Holdings = readonly (readonly boolean[])[];

/** What the rules of one side come to once all have run: the rule of a group sees the groups before it. */
function holdingsBy({ people, groups: all }: World, ruleOf: (group: Group) => Rule | null): Holdings {
  const held: boolean[][] = [];
  for (const group of all) {
    const rule = ruleOf(group);
    held.push(
      people.map((one, at) => group.byHand[at] === true || (rule !== null && fits(rule, one, at, held))),
    );
  }
  return held;
}

function fits({ asks, isNot }: Rule, one: Person, at: number, held: Holdings): boolean {
  const is =
    "group" in asks
      ? held[asks.group]?.[at] === true
      : "department" in asks
        ? one.department === asks.department
        : one.jobTitle === asks.jobTitle;
  return is !== isNot;
}

export const before = (world: World): Holdings => holdingsBy(world, (group) => group.before);

/** A number that the service decides: whether members stay whose rule goes is documented nowhere. */
export interface Truth {
  readonly least: number;
  readonly most: number;
}

export type Truths = Readonly<Record<"gains" | "loses" | "enters" | "leaves" | "conflicts", Truth>>;

const EITHER = [false, true] as const;

/**
 * How many people the plan moves, whatever the service does where its documents say nothing. Members stay or go whose
 * rule goes. An enrollment gives what the profile offers at once or later. A review begins before the rules run or after.
 */
export function truthsOf(world: World): Truths {
  const now = before(world);
  const ends = EITHER.flatMap((stays) =>
    EITHER.flatMap((gives) => {
      const then = after(world, now, stays, gives);
      return [movesBetween(world, now, then, now), movesBetween(world, now, then, then)];
    }),
  );
  const both = (name: keyof Truths): Truth => {
    const numbers = ends.map((one) => one[name]);
    return { least: Math.min(...numbers), most: Math.max(...numbers) };
  };
  return {
    gains: both("gains"),
    loses: both("loses"),
    enters: both("enters"),
    leaves: both("leaves"),
    conflicts: both("conflicts"),
  };
}

/** Who holds each group once all rules have run. */
function after(
  { people, groups: all, profile, isDeleted }: World,
  now: Holdings,
  stays: boolean,
  gives: boolean,
): Holdings {
  const held: boolean[][] = [];
  for (const [number, group] of all.entries()) {
    const isGone = group.before !== null && group.after === null;
    const isThere = !isDeleted || number !== LAST;
    const isOffered = gives && number === OFFERED && profile !== null;
    held.push(
      people.map(
        (one, at) =>
          isThere &&
          (group.byHand[at] === true ||
            (isGone && stays && now[number]?.[at] === true) ||
            (isOffered && fits(profile, one, at, now)) ||
            (group.after !== null && fits(group.after, one, at, held))),
      ),
    );
  }
  return held;
}

/** Whether a changed rule no longer gives a group to someone who has it: they may have come by hand, too, and stay. */
export function mayStay(world: World): boolean {
  const now = before(world);
  const rules = holdingsBy(
    { ...world, groups: world.groups.map((group) => ({ ...group, byHand: [] })) },
    (group) => group.after,
  );
  return world.groups.some(({ before: one, after: other }, number) => {
    const isEdited = one !== null && other !== null && JSON.stringify(one) !== JSON.stringify(other);
    return isEdited && (now[number] ?? []).some((held, at) => held && rules[number]?.[at] !== true);
  });
}

function movesBetween(
  { people, review, conflict, profile }: World,
  now: Holdings,
  then: Holdings,
  /** What people hold as the review begins. */
  reviewed: Holdings,
): Record<keyof Truths, number> {
  const count = (test: (at: number, one: Person) => boolean) =>
    people.filter((one, at) => test(at, one)).length;
  const isIn = (held: Holdings, list: readonly number[], at: number) =>
    list.some((number) => held[number]?.[at] === true);
  const isSame = String(review.before) === String(review.after);
  const entered = (at: number) => (isSame ? isIn(now, review.after, at) : isIn(reviewed, review.after, at));
  const inConflict = (held: Holdings, at: number) =>
    conflict !== null && isIn(held, conflict.a, at) && isIn(held, conflict.b, at) !== conflict.isNegated;
  return {
    conflicts: count((at) => inConflict(then, at) && !inConflict(now, at)),
    gains: count(
      (at, one) =>
        then.some((held, number) => held[at] === true && now[number]?.[at] !== true) ||
        (profile !== null && fits(profile, one, at, now)),
    ),
    loses: count((at) => now.some((held, number) => held[at] === true && then[number]?.[at] !== true)),
    enters: count((at) => entered(at) && !isIn(now, review.before, at)),
    leaves: count((at) => isIn(now, review.before, at) && !entered(at)),
  };
}
