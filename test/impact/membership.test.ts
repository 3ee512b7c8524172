import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ASSUMPTIONS, type Assumption } from "../../src/impact/assumption.js";
import { conditionOf } from "../../src/impact/automation.js";
import { answersFrom, type Evaluate } from "../../src/impact/census.js";
import { type Count, certaintyOf } from "../../src/impact/count.js";
import { type Demand, demandOf, demandOfAll } from "../../src/impact/demand.js";
import { tallyMembership } from "../../src/impact/membership.js";
import { peopleOf } from "../../src/impact/person.js";
import { languageFor } from "../../src/impact/rule/language.js";
import { refName } from "../../src/kinds/people.js";
import type { JsonObject } from "../../src/model/json.js";
import { cases } from "../fakes/cases.js";

/** How many tenants are generated: a hundred in CI, and as many as a person asks for. */
const TENANTS = Number(process.env.TENANTS ?? 40);

const evaluate: Evaluate = (work) => ({ value: work(), milliseconds: 1 });

/** One user of a generated tenant, with what only the service knows of them. */
interface Someone {
  readonly id: string;
  readonly department: string;
  readonly level: string | null;
  readonly status: "ENABLED" | "DISABLED" | "DELETED";
  readonly isMember: boolean;
  readonly isByHand: boolean;
  readonly isExcluded: boolean;
  readonly holds: readonly boolean[];
  /** What the service does where its documents say nothing: a rule that fails, a basic rule, a group without a rule. */
  readonly whim: boolean;
}

/** How the service behaves where its documents leave it open. */
interface Service {
  readonly isTrue: Readonly<Record<Assumption, boolean>>;
}

/** A rule, and whom it matches: written a second time, in plain code. */
interface Sample {
  readonly automation: JsonObject | null;
  readonly matches: (person: Someone, service: Service) => boolean;
}

const cel = (expression: string, matches: Sample["matches"]): Sample => ({
  automation: { cel: { expression } },
  matches,
});

const refs = (...places: readonly number[]): Sample => ({
  automation: {
    entitlements: { entitlementRefs: places.map((place) => ({ appId: "app", id: `e${place}` })) },
  },
  matches(person, { isTrue }) {
    const held = places.map((place) => person.holds[place] === true);
    if (held.length === 0) return isTrue.noRefs ? false : person.whim;
    return isTrue.anyRef ? held.includes(true) : !held.includes(false);
  },
});

const SAMPLES: readonly Sample[] = [
  cel("subject.department == 'A'", ({ department }) => department === "A"),
  cel("subject.department != 'A'", ({ department }) => department !== "A"),
  cel("subject.department in ['A', 'B']", ({ department }) => department === "A" || department === "B"),
  cel(
    "subject.department == 'A' && subject.status == UserStatus.ENABLED",
    ({ department, status }) => department === "A" && status === "ENABLED",
  ),
  cel(
    "subject.department == 'B' && subject.profile['level'] == 'x'",
    ({ department, level, whim }) => department === "B" && (level === null ? whim : level === "x"),
  ),
  cel("true", () => true),
  cel("false", () => false),
  cel("subject.profile['level'] == 'x'", ({ level, whim }) => (level === null ? whim : level === "x")),
  cel("has(subject.profile.level) && subject.profile.level == 'x'", ({ level }) => level === "x"),
  cel("subject.status == UserStatus.ENABLED", ({ status }) => status === "ENABLED"),
  cel("c1.user.v1.HasEntitlement(subject, 'app', 'e0')", ({ holds }) => holds[0] === true),
  cel(
    "c1.user.v1.HasEntitlement(subject, 'app', 'e1') || subject.department == 'B'",
    ({ holds, department }) => holds[1] === true || department === "B",
  ),
  cel("has(subject.department)", ({ department }, { isTrue }) => isTrue.emptyField || department !== ""),
  cel(
    "!has(subject.department) || subject.department == 'A'",
    ({ department }, { isTrue }) => department === "A" || (department === "" && !isTrue.emptyField),
  ),
  cel("subject.attributes.color == 'red'", ({ whim }) => whim),
  {
    automation: { basic: { expression: "subject.department=='A'" } },
    matches: ({ department, whim }, { isTrue }) => (isTrue.basic ? department === "A" : whim),
  },
  refs(),
  refs(0),
  refs(0, 1),
  { automation: { none: {} }, matches: () => false },
  { automation: null, matches: () => false },
];

function holdsFor(sample: Sample, person: Someone, service: Service): boolean {
  if (person.status === "DISABLED" && !service.isTrue.disabled) return false;
  if (person.status === "DELETED" && service.isTrue.deleted) return false;
  return sample.matches(person, service);
}

function isEnd({ automation }: Sample): boolean {
  return automation === null || automation.none !== undefined;
}

/** Who has the entitlement once the service has run a rule. */
function hasAfter(sample: Sample, person: Someone, service: Service): boolean {
  if (person.isMember && person.isByHand) return true;
  if (isEnd(sample)) return person.isMember && person.whim;
  return !person.isExcluded && holdsFor(sample, person, service);
}

const someone = fc.record({
  department: fc.constantFrom("A", "B", "C", ""),
  level: fc.constantFrom("x", "y", null),
  status: fc.constantFrom(
    "ENABLED" as const,
    "ENABLED" as const,
    "ENABLED" as const,
    "DISABLED" as const,
    "DELETED" as const,
  ),
  isMember: fc.boolean(),
  isByHand: fc.boolean(),
  isExcluded: fc.boolean(),
  holds: fc.tuple(fc.boolean(), fc.boolean()),
  whim: fc.boolean(),
});

const tenant = fc.record({
  people: fc.array(someone, { maxLength: 12 }).map((all) => all.map((one, at) => ({ ...one, id: `u${at}` }))),
  before: fc.constantFrom(...SAMPLES),
  after: fc.constantFrom(...SAMPLES),
  service: fc.record({
    isTrue: fc.record(
      Object.fromEntries(Object.keys(ASSUMPTIONS).map((name) => [name, fc.boolean()])) as Record<
        Assumption,
        fc.Arbitrary<boolean>
      >,
    ),
  }),
  /** What this run read. */
  isBeforeSeen: fc.boolean(),
  peopleRead: fc.nat(12),
  knowsMembers: fc.boolean(),
  knowsExclusions: fc.boolean(),
  knowsHolders: fc.tuple(fc.boolean(), fc.boolean()),
  pageSize: fc.integer({ min: 1, max: 5 }),
  /** Whether only those are read whom a rule can match. */
  isNarrowed: fc.boolean(),
  /** The member whom the list of users left out, because it changed while it was read. */
  lost: fc.constantFrom(null, null, 0, 3),
  /** Whether members whom the list left out are then read one by one. */
  showsStrangers: fc.boolean(),
});

type Tenant = typeof tenant extends fc.Arbitrary<infer T> ? T : never;

function impactOf(world: Tenant) {
  const rows = world.people.map(({ id, department, level, status }) => ({
    id,
    department,
    status,
    profile: level === null ? {} : { level },
  }));
  const everyone = peopleOf(rows);
  const areAll = world.peopleRead >= everyone.length;
  const demand = demandBetween(world);
  const isNarrowed = areAll && world.isNarrowed && demand !== null;
  const wanted = ({ department }: { readonly department: string }) =>
    !isNarrowed || demand?.department?.includes(department) !== false;
  const isLost = (at: number) =>
    at === world.lost &&
    world.knowsMembers &&
    (world.showsStrangers || !isNarrowed) &&
    world.people[at]?.isMember === true;
  const listed = everyone.filter((_person, at) => !isLost(at));
  const read = areAll ? listed.filter(wanted) : everyone.slice(0, world.peopleRead);
  const holders = new Map(
    world.knowsHolders.flatMap((isKnown, place) =>
      isKnown
        ? [
            [
              refName({ appId: "app", id: `e${place}` }),
              new Map(world.people.filter(({ holds }) => holds[place]).map(({ id }) => [id, true] as const)),
            ] as const,
          ]
        : [],
    ),
  );
  const directory = { people: read, areAll, accounts: new Map(), members: holders, groups: new Map() };
  const language = languageFor("User", answersFrom(directory), new Date(0));
  const known = (isComplete: boolean, test: (person: Someone) => boolean) => ({
    people: new Map((isComplete ? world.people : world.people.slice(0, 3)).map((one) => [one.id, test(one)])),
    isComplete,
    count: null,
  });
  const tally = tallyMembership(
    conditionOf(world.isBeforeSeen ? world.before.automation : undefined, language, holders),
    conditionOf(world.after.automation, language, holders),
    evaluate,
  );
  for (let at = 0; at < read.length; at += world.pageSize) tally.add(read.slice(at, at + world.pageSize));
  const members = known(world.knowsMembers, ({ isMember }) => isMember);
  const strangers = new Set(areAll && world.showsStrangers ? tally.strangers(members) : []);
  tally.add(everyone.filter(({ id }) => strangers.has(id)));
  const impact = tally.impact({
    areAll,
    areSomeLeftOut: isNarrowed && !world.showsStrangers,
    members,
    exclusions: known(world.knowsExclusions, ({ isExcluded }) => isExcluded),
  });
  return { impact, undecided: tally.undecided() };
}

function demandBetween({ before, after, isBeforeSeen }: Tenant): Demand {
  return demandOfAll([demandOf(isBeforeSeen ? before.automation : undefined), demandOf(after.automation)]);
}

/** The numbers by brute force: what the service does to each person, with the old rule and with the new one. */
function truthOf({ people, before, after, service }: Tenant) {
  const count = (test: (person: Someone) => boolean) => people.filter(test).length;
  const matches = (sample: Sample, person: Someone) => holdsFor(sample, person, service);
  const isLeftOut = ({ isExcluded, isByHand }: Someone) => isExcluded && service.isTrue.excluded && !isByHand;
  return {
    gains: count((one) => !one.isMember && hasAfter(after, one, service) && !hasAfter(before, one, service)),
    loses: count(
      (one) =>
        one.isMember && !hasAfter(after, one, service) && hasAfter(before, one, service) && !isEnd(before),
    ),
    keeps: count((one) => one.isMember && !isLeftOut(one) && matches(before, one) && matches(after, one)),
    both: count((one) => matches(before, one) && matches(after, one)),
    others: count((one) => one.isMember && !matches(before, one) && !matches(after, one)),
  };
}

function holds({ low, high }: Count, truth: number): boolean {
  return low <= truth && (high === null || truth <= high);
}

describe("who gains, loses and keeps an entitlement", () => {
  it("is never wrong, whatever was not read and whatever the service does where it documents nothing", () => {
    fc.assert(
      fc.property(tenant, (world) => {
        const { impact } = impactOf(world);
        const truth = truthOf(world);
        for (const name of ["gains", "loses", "keeps", "both", "others"] as const) {
          expect([name, impact[name], truth[name]]).toSatisfy(() => holds(impact[name], truth[name]));
        }
      }),
      { numRuns: TENANTS },
    );
  });

  it("is what it would be if remit's assumptions hold, wherever it names a number for that", () => {
    const isTrue = Object.fromEntries(Object.keys(ASSUMPTIONS).map((name) => [name, true])) as Record<
      Assumption,
      boolean
    >;
    fc.assert(
      fc.property(tenant, (drawn) => {
        const world = { ...drawn, lost: null, service: { isTrue } };
        const { impact } = impactOf(world);
        const truth = truthOf(world);
        for (const name of ["gains", "keeps", "both", "others"] as const) {
          if (impact[name].assumed !== null) expect(impact[name].assumed).toBe(truth[name]);
        }
      }),
      { numRuns: TENANTS },
    );
  });

  it("is exact for gains where everything is read and documented", () => {
    fc.assert(
      fc.property(tenant, (drawn) => {
        const world: Tenant = {
          ...drawn,
          before: SAMPLES[0] as Sample,
          after: SAMPLES[6] as Sample,
          people: drawn.people.map((one) => ({
            ...one,
            status: "ENABLED",
            isExcluded: one.isExcluded && !one.isMember,
          })),
          isBeforeSeen: true,
          peopleRead: 12,
          knowsMembers: true,
          knowsExclusions: true,
          showsStrangers: true,
        };
        const { impact } = impactOf(world);
        expect(certaintyOf(impact.gains)).toBe("exact");
        expect(certaintyOf(impact.keeps)).toBe("exact");
        expect(impact.unknown).toEqual([]);
      }),
      { numRuns: cases(40) },
    );
  });
});
