import fc from "fast-check";
import { expect, it } from "vitest";
import { type GuardAnswer, readGuard } from "../../../src/impact/guard/guard.js";
import type { GuardInput, HeldFrom } from "../../../src/impact/guard/input.js";
import { guardLanguage } from "../../../src/impact/guard/language.js";
import { guardFault } from "../../../src/impact/guard/mistake.js";
import { KNOWN, NO_PEOPLE } from "../../../src/impact/guard/people.js";
import { indexPeople } from "../../../src/impact/guard/peopleIndex.js";
import { type Person, peopleOf } from "../../../src/impact/person.js";
import { kinds } from "../../../src/kinds/index.js";

const language = guardLanguage(
  "step",
  kinds.filter(({ name }) => name === "EntitlementAutomation").map(({ shape }) => shape),
);

/** What a guard may ask about one person; some of it fails for some people, and some of it is unknown for some. */
const TESTS = [
  'p.department == "Tax"',
  "p.department == step.labels.team",
  'p.department == step.labels["team"]',
  "has(step.labels.none) || has(p.jobTitle)",
  'p.profile.grade == "A"',
  'p.profile["grade"] == "A" || p.department == step.name',
  'p.manager == "boss@x.test"',
  'p.emails.exists(e, e.endsWith("@x.test"))',
  "size(p.id) > 4",
  "p.status != UserStatus.DISABLED",
  'holds(p, "C1", "law")',
  'holds(p, "C1", step.labels.team)',
  "p.department in step.changed",
  'step.before.displayName == "Tax"',
  'today > day("2026-01-01") && context == ""',
  "true",
];

const row = fc.record({
  department: fc.constantFrom("Tax", "Law", ""),
  jobTitle: fc.constantFrom("Clerk", ""),
  status: fc.constantFrom("ENABLED", "DISABLED"),
  profile: fc.constantFrom({ grade: "A" }, { grade: "B" }, {}),
  managerIds: fc.constantFrom([], ["person0"], ["gone"]),
  emails: fc.constantFrom([], ["a@x.test"], ["a@y.test"]),
});

const test = fc.letrec<{ test: string }>((tie) => ({
  test: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(...TESTS),
    tie("test").map((one) => `!(${one})`),
    fc
      .tuple(tie("test"), fc.constantFrom("&&", "||"), tie("test"))
      .map(([a, op, b]) => `((${a}) ${op} (${b}))`),
  ),
})).test;

const quantifier = fc.constantFrom("exists", "all", "exists_one", "filter");

const TODAY = new Date("2026-11-23");

function inputOf(
  step: { readonly team: string; readonly isSeen: boolean },
  gain: readonly Person[],
  lose: readonly Person[],
  shared: Pick<GuardInput, "index" | "holds">,
): GuardInput {
  const spec = { displayName: step.team };
  const view = {
    values: {
      ...{ address: "EntitlementAutomation/a", kind: "EntitlementAutomation", name: "Law", action: "update" },
      ...{ labels: { team: step.team }, changed: [step.team], protected: false, before: spec, after: spec },
    },
    unknown: step.isSeen ? KNOWN : new Map([["before", "it was not read"]]),
  };
  const people = { ...NO_PEOPLE, gain: { people: gain }, lose: { people: lose } };
  return { step: view, people, steps: [view], context: "", today: TODAY, ...shared };
}

/** The same, by the library, about each person alone; one who decides it does so whatever is unknown of others. */
function answerOfEach(quantifier: string, body: string, input: GuardInput): GuardAnswer {
  // The library alone answers where the list is not written as a name.
  const about = (gain: readonly Person[]) => ({
    ...input,
    people: { ...input.people, gain: { people: gain } },
  });
  const { gain } = input.people;
  const people = "people" in gain ? gain.people : [];
  const is = readGuard(`[people.gain][0].exists(p, ${body})`, language);
  const isNot = readGuard(`[people.gain][0].exists(p, !(${body}))`, language);
  const answers = people.map((one) => {
    const [yes, no] = [is.ask(about([one])), isNot.ask(about([one]))];
    return yes.is === "passes" && no.is === "trips" ? { ...no, is: "passes" as const } : yes;
  });
  const unknown = answers.find((one) => one.is === "unknown");
  const count = (answer: GuardAnswer["is"]) => answers.filter((one) => one.is === answer).length;
  const isDecided =
    (quantifier === "exists" && count("trips") > 0) || (quantifier === "all" && count("passes") > 0);
  if (unknown !== undefined && !isDecided) return unknown;
  const trips = {
    exists: count("trips") > 0,
    all: count("passes") === 0,
    exists_one: count("trips") === 1,
    filter: count("trips") > 1,
  }[quantifier];
  const heldFrom = [...new Set(answers.flatMap((one) => ("heldFrom" in one ? one.heldFrom : [])))].sort();
  return trips ? { is: "trips", heldFrom } : { is: "passes" };
}

it("answers for many steps what the library answers for each person alone", () => {
  const number = fc.nat(19);
  const steps = fc.array(
    fc.record({
      step: fc.record({ team: fc.constantFrom("Tax", "Law", "Art"), isSeen: fc.boolean() }),
      gain: fc.array(number, { maxLength: 8 }),
      lose: fc.array(number, { maxLength: 8 }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const rows = fc.array(row, { minLength: 20, maxLength: 20 });
  const sources = fc.constantFrom<HeldFrom | null>(
    "the rules of the project",
    "the grants of the tenant",
    null,
  );
  const held = fc.array(fc.option(sources, { nil: "unknown" as const }), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(quantifier, test, rows, held, steps, (asks, body, users, holders, asked) => {
      const everyone = peopleOf(
        users.map((user, at) => ({ id: `person${at}`, email: `${at}@x.test`, ...user })),
      );
      const pick = (numbers: readonly number[]) => numbers.flatMap((at) => everyone[at] ?? []);
      const holds: GuardInput["holds"] = ({ id }, _app, entitlement) => {
        const from = holders[Number(id.replace("person", ""))] ?? null;
        if (from === "unknown" && entitlement === "law") return { unknown: "it was not read" };
        return from === null || from === "unknown" ? { is: false, from: [] } : { is: true, from: [from] };
      };
      const question = `people.gain.${asks}(p, ${body})`;
      const text = asks === "filter" ? `size(${question}) > 1` : question;
      expect(guardFault(text, "step", language, { action: [], kind: [] })).toBeNull();
      const shared = { index: indexPeople(), holds };
      const inputs = asked.map(({ step, gain, lose }) => inputOf(step, pick(gain), pick(lose), shared));
      expect(inputs.map(readGuard(text, language).ask)).toEqual(
        inputs.map((input) => answerOfEach(asks, body, input)),
      );
    }),
    { numRuns: 400 },
  );
});

it("asks people who are equal in what it reads of them once, for all steps", () => {
  const everyone = peopleOf(
    Array.from({ length: 5_000 }, (_, at) => ({ id: `person${at}`, department: `D${at % 7}` })),
  );
  const asked = { holds: 0 };
  const holds: GuardInput["holds"] = () => {
    asked.holds++;
    return { is: false, from: [] };
  };
  const shared = { index: indexPeople(), holds };
  const inputs = Array.from({ length: 50 }, (_, at) =>
    inputOf({ team: "Tax", isSeen: true }, everyone.slice(at), [], shared),
  );
  const guard = readGuard('people.gain.exists(p, p.department == "D9" || holds(p, "C1", "law"))', language);
  expect(inputs.map((input) => guard.ask(input).is)).toEqual(inputs.map(() => "passes"));
  expect(asked.holds).toBe(5_000);
});
