import { compare } from "../../diff/compare.js";
import { audienceOf } from "../../impact/audience.js";
import { conditionOf } from "../../impact/automation.js";
import { answersFrom, type Evaluate } from "../../impact/census.js";
import type { GuardAnswer } from "../../impact/guard/guard.js";
import { NO_PEOPLE, type PeopleView } from "../../impact/guard/people.js";
import { asAssumed } from "../../impact/holding.js";
import type { Person } from "../../impact/person.js";
import { languageFor } from "../../impact/rule/language.js";
import { needsOf } from "../../impact/rule/needs.js";
import { kindNamed, kindOf, kinds } from "../../kinds/index.js";
import { LIVE } from "../../kinds/interface.js";
import type { Kind } from "../../kinds/kind.js";
import { normaliseWritten } from "../../kinds/normalise.js";
import type { EntitlementRef, Holders } from "../../kinds/people.js";
import type { Resource } from "../../manifest/resource.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import { keeping } from "../../plan/decide/decision.js";
import type { GuardDocument } from "../../plan/guards/own/document.js";
import { answersTo } from "../../plan/guards/own/findings.js";
import type { GuardAction, OwnGuard } from "../../plan/guards/own/ownGuard.js";
import { NO_SETTINGS } from "../../plan/guards/rules.js";
import { DEFAULT_LIMITS } from "../../plan/guards/settings.js";
import type { Labels } from "../../plan/select/labels.js";
import type { Step } from "../../plan/step.js";
import { didYouMean } from "../../schema/didYouMean.js";
import type { Shape, SpecShape } from "../../schema/shape.js";
import { say } from "../../words/say.js";
import { holdsBy, namedRules } from "../holds.js";
import { plainSpec } from "../plainSpec.js";
import type { TestDocument } from "./document.js";
import { contradictionsIn, membersIn } from "./holders.js";
import { directoryOf, type MadeUp, mistakesIn, peopleIn, type TestMistake } from "./people.js";

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
    const keep = people.filter((one) => isSo(old, one) === true && isSo(fresh, one) === true);
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
  return people.filter((person) => isSo(one, person) !== false && isSo(other, person) !== true);
}

/** What a rule says of a person; undefined where there is none. */
function isSo(about: About, person: Person) {
  return about && asAssumed(about(person));
}

/** A test of a guard: made-up steps and people, and what the guard must say. */
interface GuardTest extends MadeUp, Pick<TestDocument, "today"> {
  readonly name: string | null;
  readonly context: string;
  readonly steps: readonly Step[];
  readonly trips: boolean | "unknown";
}

/** Reads a test that matches the schema. */
function readGuardTest(
  written: JsonObject,
  guard: OwnGuard,
  apps: Readonly<Record<string, string>>,
): GuardTest | TestMistake {
  const { name, context, today, people, entitlements, steps, trips } = written;
  const each: readonly (readonly [JsonObject, Path])[] = Array.isArray(steps)
    ? steps.map((step, at) => [step as JsonObject, ["steps", at]])
    : [[written, []]];
  const made: Step[] = [];
  for (const [one, path] of each) {
    const step = stepOf(one, path, guard, apps);
    if ("problem" in step) return step;
    made.push(step);
  }
  const said = { people: people ?? {}, entitlements: entitlements ?? {} } as unknown as MadeUp;
  const [mistake] = mistakesIn(said);
  if (mistake !== undefined) return mistake;
  return {
    name: typeof name === "string" ? name : null,
    context: typeof context === "string" ? context : "",
    today: typeof today === "string" ? today : null,
    ...said,
    steps: made,
    trips: trips as boolean | "unknown",
  };
}

function stepOf(
  { kind: named, name = "tested", action: asked, labels, before: was, after: is }: JsonObject,
  path: Path,
  { on }: OwnGuard,
  apps: Readonly<Record<string, string>>,
): Step | TestMistake {
  const usual = on.as === "steps" && on.kinds?.length === 1 ? on.kinds[0] : undefined;
  const kind = kindNamed(String(named ?? usual));
  if (kind === undefined)
    return { problem: "the test does not say which kind its step is of", hint: "Write `kind:`.", path };
  for (const [side, value] of [
    ["before", was],
    ["after", is],
  ] as const) {
    const wrong = isObject(value ?? null)
      ? unknownField(value as JsonObject, kind.shape, [...path, side])
      : null;
    if (wrong !== null) return wrong;
  }
  const action = (asked ??
    (was === undefined ? "create" : is === undefined ? "delete" : "update")) as GuardAction;
  const [before, after] = [was, is].map((value) =>
    isObject(value ?? null) ? specOf(value as JsonObject, kind, apps) : null,
  );
  return madeStep(kind, String(name), action, before ?? null, after ?? null, labels as Labels | undefined);
}

function specOf(spec: JsonObject, kind: Kind, apps: Readonly<Record<string, string>>): JsonObject {
  const plain = plainSpec({ spec }, kind.shape, { apps, user: (email) => email });
  return normaliseWritten(plain, kind.shape);
}

/** A field that the kind does not have: the guard would never see it. */
function unknownField(value: Json, shape: Shape | SpecShape, path: Path): TestMistake | null {
  if (shape.type === "list" && Array.isArray(value))
    return first(value.map((item, at) => unknownField(item, shape.item, [...path, at])));
  if (!isObject(value)) return null;
  if (shape.type === "map")
    return first(Object.entries(value).map(([name, one]) => unknownField(one, shape.value, [...path, name])));
  if (shape.type !== "object") return null;
  return first(
    Object.entries(value).map(([name, one]) => {
      const field = shape.fields.get(name);
      if (field !== undefined) return unknownField(one, field, [...path, name]);
      const known = [...shape.fields.keys()];
      const hint = didYouMean(name, known) ?? `The fields are ${known.join(", ")}.`;
      return { problem: `the kind has no field ${name}`, hint, path: [...path, name] };
    }),
  );
}

function first(found: readonly (TestMistake | null)[]): TestMistake | null {
  return found.find((one) => one !== null) ?? null;
}

function madeStep(
  kind: Kind,
  name: string,
  asked: GuardAction,
  before: JsonObject | null,
  after: JsonObject | null,
  labels: Labels | undefined,
): Step {
  const identity = Object.fromEntries(
    kind.shape.identity.map((part) => [part, (after ?? before)?.[part] ?? part]),
  );
  const isAccepted = asked === "accept";
  const span = { file: "", start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };
  const isWritten = labels !== undefined || (asked !== "delete" && asked !== "forget");
  const decision = keeping({
    address: { kind: kind.name, name },
    key: kind.shape.identity.map((part) => String(identity[part])),
    sight: { exists: before === null ? "no" : "yes", fingerprint: null },
    managed: {
      meanings: {},
      labels: isWritten ? (labels ?? {}) : null,
      span: isWritten ? span : null,
      identity,
      owned: [...kind.shape.fields.keys()],
      protected: false,
    },
    recorded: { record: null },
  });
  return {
    ...decision,
    action: isAccepted ? "adopt" : asked,
    reason: isAccepted ? "drift accepted" : "differs",
    recorded: { ...decision.recorded, driftedFrom: isAccepted ? (before ?? {}) : null },
    changes: compare(before ?? {}, after ?? {}, kind.shape).map((change) => ({
      change,
      cause: "edited",
      span: null,
      edit: null,
    })),
    before: isAccepted ? after : before,
    after,
    calls: [],
    needs: [],
    follows: [],
  };
}
