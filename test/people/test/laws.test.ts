import * as fc from "fast-check";
import { expect, it } from "vitest";
import { conditionOf } from "../../../src/impact/automation.js";
import { answersFrom } from "../../../src/impact/census.js";
import { NOT_KNOWN, tallyMembership } from "../../../src/impact/membership.js";
import { Person } from "../../../src/impact/person.js";
import { languageFor } from "../../../src/impact/rule/language.js";
import { cases } from "../../fakes/cases.js";
import { automation, cel, evaluate, TODAY, told } from "./scene.js";

/** How many tenants are generated: a hundred in CI, and as many as a person asks for. */
const TENANTS = Number(process.env.TENANTS ?? cases(20));
const HOUR = 3_600_000;

const someone = fc.record({
  department: fc.constantFrom("A", "B", ""),
  title: fc.constantFrom("Lead", ""),
  ends: fc.integer({ min: -5, max: 30 }),
  holds: fc.boolean(),
});

type Someone = typeof someone extends fc.Arbitrary<infer T> ? T : never;

interface Sample {
  readonly text: string;
  readonly matches: (person: Someone, hour: number) => boolean;
}

const leaf: fc.Arbitrary<Sample> = fc.constantFrom<Sample>(
  { text: 'subject.department == "A"', matches: ({ department }) => department === "A" },
  { text: 'subject.jobTitle.startsWith("L")', matches: ({ title }) => title === "Lead" },
  { text: "timestamp(subject.profile.ends) > now()", matches: ({ ends }, hour) => ends > hour },
  { text: 'c1.user.v1.HasEntitlement(subject, "app", "e")', matches: ({ holds }) => holds },
  { text: "true", matches: () => true },
);

/** Rules, and whom they match, written a second time in plain code. */
const { rule } = fc.letrec<{ rule: Sample }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.tuple(tie("rule"), tie("rule")).map(([a, b]) => ({
      text: `(${a.text} && ${b.text})`,
      matches: (one: Someone, hour: number) => a.matches(one, hour) && b.matches(one, hour),
    })),
    fc.tuple(tie("rule"), tie("rule")).map(([a, b]) => ({
      text: `(${a.text} || ${b.text})`,
      matches: (one: Someone, hour: number) => a.matches(one, hour) || b.matches(one, hour),
    })),
    tie("rule").map((a) => ({
      text: `!(${a.text})`,
      matches: (one: Someone, hour: number) => !a.matches(one, hour),
    })),
    fc.tuple(tie("rule"), tie("rule"), tie("rule")).map(([a, b, c]) => ({
      text: `(${a.text} ? ${b.text} : ${c.text})`,
      matches: (one: Someone, hour: number) => (a.matches(one, hour) ? b : c).matches(one, hour),
    })),
  ),
}));

const rowOf = ({ department, title, ends }: Someone, at: number) => ({
  id: `person p${at}`,
  displayName: `p${at}`,
  department,
  jobTitle: title,
  status: "ENABLED",
  profile: { ends: new Date(TODAY.getTime() + ends * HOUR).toISOString() },
});

/** Whom `remit impact` says the rule gives access to: for certain, perhaps, or not at all. */
function givenBy(text: string, people: readonly Someone[]): ReadonlyMap<string, true | null> {
  const persons = people.map((one, at) => new Person(rowOf(one, at), () => undefined));
  const held = new Map(people.flatMap(({ holds }, at) => (holds ? [[`person p${at}`, true as const]] : [])));
  const members = new Map([["app/e", held]]);
  const census = { people: persons, areAll: true, accounts: new Map(), members, groups: new Map() };
  const language = languageFor("User", answersFrom(census), TODAY);
  const none = conditionOf(null, language, members);
  const tally = tallyMembership(
    none,
    conditionOf({ cel: { expression: text } }, language, members),
    evaluate,
  );
  tally.add(persons);
  const known = { people: new Map(), isComplete: true, count: 0 };
  return tally.impact({ areAll: true, areSomeLeftOut: false, members: NOT_KNOWN, exclusions: known }).given;
}

it("tests made from the people of a tenant say what remit impact says, and both contain the truth of every hour", () => {
  fc.assert(
    fc.property(fc.array(someone, { minLength: 1, maxLength: 6 }), rule, (people, { text, matches }) => {
      const names = people.map((_one, at) => `p${at}`);
      const address = "EntitlementAutomation/r";
      const spec = {
        people: Object.fromEntries(
          people.map((one, at) => {
            const { department, jobTitle, profile } = rowOf(one, at);
            return [`p${at}`, { department, jobTitle, profile }];
          }),
        ),
        entitlements: { "app/e": names.filter((_name, at) => people[at]?.holds) },
        expect: names.flatMap((person) => [
          { person, holds: [address] },
          { person, lacks: [address] },
        ]),
      };
      const verdicts = told([automation("r", cel(text))], spec);
      const given = givenBy(text, people);
      const hours = Array.from({ length: 24 }, (_, hour) => hour);
      for (const [at, one] of people.entries()) {
        const [holds, lacks] = [verdicts[at * 2]?.length === 0, verdicts[at * 2 + 1]?.length === 0];
        const impact = given.get(`person p${at}`);
        expect([text, holds, lacks]).toEqual([text, impact === true, impact === undefined]);
        const truths = hours.map((hour) => matches(one, hour));
        if (holds) expect([text, truths]).toEqual([text, truths.map(() => true)]);
        if (lacks) expect([text, truths]).toEqual([text, truths.map(() => false)]);
      }
    }),
    { numRuns: TENANTS },
  );
});
