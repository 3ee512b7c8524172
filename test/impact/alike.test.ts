import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { audienceOf } from "../../src/impact/audience.js";
import { conditionOf } from "../../src/impact/automation.js";
import { answersFrom, type Evaluate } from "../../src/impact/census.js";
import type { Holding } from "../../src/impact/holding.js";
import { askBoth } from "../../src/impact/pairs.js";
import { peopleOf } from "../../src/impact/person.js";
import { languageFor } from "../../src/impact/rule/language.js";
import { readRule } from "../../src/impact/rule/rule.js";
import { refName } from "../../src/kinds/people.js";
import type { JsonObject } from "../../src/model/json.js";

const evaluate: Evaluate = (work) => ({ value: work(), milliseconds: 1 });

/** Values that could be mistaken for each other, if several of them were written as one text without care. */
const TEXTS = ["", "A", "B", "A,1:B", ",", "1:A", "ENABLED"] as const;

const text = fc.constantFrom(...TEXTS);

const row = fc.record(
  {
    department: text,
    jobTitle: text,
    employmentType: text,
    email: text,
    emails: fc.array(text, { maxLength: 2 }),
    managerIds: fc.constantFrom([], ["u0"], ["u1", "u2"]),
    status: fc.constantFrom("ENABLED", "DISABLED", "DELETED", "strange"),
    type: fc.constantFrom("USER_TYPE_HUMAN", "SERVICE", 7),
    profile: fc.oneof(
      fc.constant(null),
      fc.record(
        {
          level: fc.oneof(
            text,
            fc.constantFrom<unknown[]>(null, 1, 0, -0, true, "1", ["A"], ["B"], { a: "A" }),
          ),
          "cost center": text,
        },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);

const ATOMS = [
  'subject.department == "A"',
  'subject.job_title + subject.department == "AB"',
  'subject.employmentType in ["A", "1:A"]',
  "subject.status == UserStatus.DISABLED",
  "subject.type == UserType.HUMAN",
  'subject.profile.level == "A"',
  'subject.profile["cost center"].startsWith("A")',
  "has(subject.profile.level)",
  "has(subject.department)",
  "!has(subject.jobTitle)",
  "has(subject.manager)",
  "size(subject.profile) > 1",
  '"level" in subject.profile',
  "1.0 / double(subject.profile.level) > 0.0",
  'subject.profile.level == ["A"]',
  'subject.manager == "A"',
  'subject.manager_id == "u0"',
  'subject.email == "A"',
  "subject.emails.exists(one, one == subject.department)",
  'subject.emails.all(subject, subject == "A")',
  '[subject].exists(one, one.department == "A")',
  'subject.department.matches("^A,")',
  'subject.attributes.color == "red"',
  'subject.?department.orValue("") == "A"',
  'c1.user.v1.HasEntitlement(subject, "app", "e")',
  'c1.directory.users.v1.FindByEmail(subject.department).jobTitle == "A"',
  'c1.directory.users.v1.GetManagers(subject).exists(one, one.department == "A")',
  "now() > timestamp(0)",
  "true",
] as const;

const expression: fc.Arbitrary<string> = fc.letrec<{ readonly node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(...ATOMS),
    fc.tuple(tie("node"), tie("node")).map(([one, other]) => `(${one} && ${other})`),
    fc.tuple(tie("node"), tie("node")).map(([one, other]) => `(${one} || ${other})`),
    tie("node").map((one) => `!(${one})`),
  ),
})).node;

function shown({ depends, under, why }: Holding) {
  return { is: under(new Set()), otherwise: under(new Set(depends)), depends, why };
}

describe("people who share what a rule reads", () => {
  it("have the answer that each of them has alone, and the same one in pages of any size", () => {
    const world = fc.record({
      rows: fc.array(row, { maxLength: 12 }),
      before: expression,
      after: expression,
      pageSize: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(world, ({ rows, before, after, pageSize }) => {
        const people = peopleOf(rows.map((one, at) => ({ ...one, id: `u${at}` }) as JsonObject));
        const members = new Map([[refName({ appId: "app", id: "e" }), new Map([["u1", true as const]])]]);
        const census = { people, areAll: true, accounts: new Map(), members, groups: new Map() };
        const language = languageFor("User", answersFrom(census), new Date("2026-01-01"));
        const rules = [
          conditionOf({ cel: { expression: before } }, language, members),
          conditionOf({ basic: { expression: after } }, language, members),
          audienceOf({ celExpression: { expression: after } }, language),
        ] as const;
        for (const [one, other] of [
          [rules[0], rules[1]],
          [rules[2], rules[0]],
        ] as const) {
          const alone = people.map((person) => [shown(one.about(person)), shown(other.about(person))]);
          const ask = askBoth(one, other, evaluate);
          const paged = people.map((): unknown => null);
          for (let at = 0; at < people.length; at += pageSize)
            ask(people.slice(at, at + pageSize), (places, was, is) => {
              for (const place of places) paged[at + place] = [shown(was), shown(is)];
            });
          expect(paged).toEqual(alone);
        }
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['subject.department == "A" && has(subject.profile.level)', ["department"], ["level"]],
    ['subject.profile["a b"] == subject.job_title', ["jobTitle"], ["a b"]],
    ["true", [], []],
  ])("are found by what %s reads", (text, fields, profile) => {
    const census = { people: [], areAll: true, accounts: new Map(), members: new Map(), groups: new Map() };
    const rule = readRule(text, languageFor("User", answersFrom(census), new Date(0)));
    expect(rule).toMatchObject({ as: "rule", reads: { fields, profile }, isQuick: true });
  });

  it("are asked once, however many they are", () => {
    const rows = Array.from({ length: 500 }, (_, at) => ({
      id: `u${at}`,
      department: at % 2 === 0 ? "A" : "B",
    }));
    let asked = 0;
    const question = {
      about: () => {
        asked += 1;
        return { depends: [], under: () => true, why: null };
      },
      reads: { fields: ["department" as const], profile: [] },
      isQuick: true,
    };
    const heard: number[] = [];
    const ask = askBoth(question, question, evaluate);
    for (const page of [peopleOf(rows), peopleOf(rows)]) ask(page, (places) => heard.push(places.length));
    expect([asked, heard]).toEqual([4, [250, 250, 250, 250]]);
  });
});
