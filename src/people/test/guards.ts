import { audienceOf } from "../../impact/audience.js";
import { conditionOf } from "../../impact/automation.js";
import { answersFrom } from "../../impact/census.js";
import type { Evaluate } from "../../impact/evaluate.js";
import type { GuardAnswer } from "../../impact/guard/guard.js";
import { NO_PEOPLE, type PeopleView } from "../../impact/guard/people.js";
import type { Person } from "../../impact/person.js";
import { languageFor } from "../../impact/rule/language.js";
import { needsOf } from "../../impact/rule/needs.js";
import { kindOf, kinds } from "../../kinds/index.js";
import { LIVE } from "../../kinds/interface.js";
import type { EntitlementRef, Holders } from "../../kinds/people.js";
import type { Resource } from "../../manifest/resource.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { DEFAULT_LIMITS } from "../../plan/guards/limits.js";
import type { GuardDocument } from "../../plan/guards/own/document.js";
import { answersTo } from "../../plan/guards/own/findings.js";
import { NO_SETTINGS } from "../../plan/guards/rules.js";
import type { Step } from "../../plan/step.js";
import { say } from "../../words/say.js";
import { holdsBy, namedRules } from "../holds.js";
import { type GuardTest, readGuardTest } from "./guardTest.js";
import { contradictionsIn, membersIn } from "./holders.js";
import { directoryOf, peopleIn, type TestMistake } from "./people.js";

/** With what the tests of guards are run. */
interface GuardTesting {
  /** The rules of the project, which answer who holds what. */
  readonly resources: readonly Resource[];
  readonly apps: Readonly<Record<string, string>>;
  readonly evaluate: Evaluate;
  readonly today: Date;
}

/** What is wrong with the tests of a guard: of each test its failures, in order. */
export function testGuard(
  document: GuardDocument,
  testing: GuardTesting,
): readonly (readonly Diagnostic[])[] {
  const { guard, tests, place } = document;
  return tests.map((written, at) => {
    const mistaken = ({ problem, hint, path }: TestMistake): readonly Diagnostic[] => [
      say(
        "guard/test-mistake",
        { name: guard.name, problem },
        { ...place(["spec", "tests", at, ...path]), hint },
      ),
    ];
    const read = readGuardTest(written, guard, testing.apps);
    if ("problem" in read) return mistaken(read);
    const people = peopleIn(read);
    const holders = { said: read.entitlements, people, apps: testing.apps, addresses: new Map() };
    const asked = askedIn(document, read);
    const [contradiction] = contradictionsIn(holders, asked);
    if (contradiction !== undefined) return mistaken(contradiction);
    const answers = answersOf(document, read, testing, { people, members: membersIn(holders, asked) });
    const name = read.name ?? `its test ${at + 1}`;
    const found = said(answers, read.trips);
    if (found === null) return [];
    return [
      say(
        found.isUnknown ? "guard/test-unknown" : "guard/test-failed",
        { guard: guard.name, what: found.what, name },
        {
          ...place(["spec", "tests", at, "trips"]),
          related: [{ message: "the guard is here", span: place(["spec", "trips"]).span }],
          ...(found.why !== null && { hint: `${found.why.charAt(0).toUpperCase()}${found.why.slice(1)}.` }),
        },
      ),
    ];
  });
}

/** How an answer differs from the expected one; null where it does not. */
function said(answers: readonly GuardAnswer[], expected: GuardTest["trips"]) {
  const unknown = answers.find((one) => one.is === "unknown");
  const isTripped = answers.some(({ is }) => is === "trips");
  if (unknown !== undefined && unknown.is === "unknown")
    return expected === "unknown"
      ? null
      : { isUnknown: true, what: "whether it trips is unknown", why: unknown.why };
  if (expected === isTripped) return null;
  const why = answers.length === 0 ? "the guard is about no step of the test: see its `on`" : null;
  return { isUnknown: false, what: isTripped ? "it trips" : "it does not trip", why };
}

/** The entitlements of which a guard or the rules of its test ask who holds them. */
function askedIn({ guard }: GuardDocument, { steps }: GuardTest): readonly EntitlementRef[] {
  return [
    ...guard.holds.map(([app, id]) => ({ appId: app, id })),
    ...steps.flatMap(({ before, after }) => [before, after].flatMap((one) => needsOf(one).members)),
  ];
}

function answersOf(
  { guard }: GuardDocument,
  test: GuardTest,
  testing: GuardTesting,
  {
    people,
    members,
  }: { readonly people: ReadonlyMap<string, Person>; readonly members: ReadonlyMap<string, Holders> },
): readonly GuardAnswer[] {
  const { resources, apps, evaluate } = testing;
  const today = test.today === null ? testing.today : new Date(`${test.today}T00:00:00Z`);
  const facts = { members, accounts: new Map(), groups: new Map() };
  const rules = namedRules({ resources, apps }, { steps: [] });
  const moves = new Map(
    test.steps.map((step) => [formatAddress(step.address), movesBy(step, people, facts, today)]),
  );
  const settings = { ...NO_SETTINGS, own: { guards: [guard], context: test.context, evaluate } };
  const day = today.toISOString().slice(0, 10);
  return answersTo(
    guard,
    { steps: test.steps, interface: ALL_LIVE, impact: null },
    { moves, holds: holdsBy(rules, facts, today) },
    { limits: DEFAULT_LIMITS, acknowledgements: [], today: day, settings },
  );
}

const ALL_LIVE = {
  asked: "full",
  kinds: Object.fromEntries(kinds.map(({ name }) => [name, LIVE])),
} as const;

/** Who gains and loses by a step: those whom the rule matched have it. Of whom that is unknown, they may. */
function movesBy(
  { address, before, after }: Step,
  named: ReadonlyMap<string, Person>,
  facts: Parameters<typeof holdsBy>[1],
  today: Date,
): PeopleView {
  const { concern } = kindOf(address);
  const people = [...named.values()];
  const answers = answersFrom({ ...facts, people: directoryOf(named), areAll: true });
  const language = languageFor("User", answers, today);
  if (concern.as === "members") {
    const [old, fresh] = [before, after].map(
      (object) => conditionOf(object === null ? null : concern.rule(object), language, facts.members).about,
    );
    const [lose, gain] = [movers(people, old, fresh), movers(people, fresh, old)];
    const keep = people.filter(
      (one) => old?.(one).under(NO_CHOICE) === true && fresh?.(one).under(NO_CHOICE) === true,
    );
    return { ...NO_PEOPLE, gain: { people: gain }, lose: { people: lose }, keep: { count: keep.length } };
  }
  if (concern.as !== "audience" || after === null) return NO_PEOPLE;
  const [old, fresh] = [before ?? {}, after].map(
    (object) => audienceOf(concern.scope(object), language).about,
  );
  return {
    ...NO_PEOPLE,
    enter: { people: before === null ? people : movers(people, fresh, old) },
    leave: { people: before === null ? [] : movers(people, old, fresh) },
  };
}

type About = ReturnType<typeof conditionOf>["about"] | undefined;

/** Those for whom one may hold, and the other may not. */
function movers(people: readonly Person[], one: About, other: About): readonly Person[] {
  return people.filter(
    (person) => one?.(person).under(NO_CHOICE) !== false && other?.(person).under(NO_CHOICE) !== true,
  );
}

const NO_CHOICE = new Set<never>();
