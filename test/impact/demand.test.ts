import { describe, expect, it } from "vitest";
import { answersFrom } from "../../src/impact/census.js";
import { type Demand, demandOf, demandOfAll } from "../../src/impact/demand.js";
import { peopleOf } from "../../src/impact/person.js";
import { languageFor } from "../../src/impact/rule/language.js";
import { readRule } from "../../src/impact/rule/rule.js";
import { narrowingOf } from "../../src/people/reviews.js";

const TAX = 'subject.department == "Tax"';
const RULES: readonly (readonly [string, Demand])[] = [
  [TAX, { department: ["Tax"] }],
  ['"Tax" == subject.department', { department: ["Tax"] }],
  ['subject.department in ["Tax", "Law"]', { department: ["Law", "Tax"] }],
  [`${TAX} && subject.jobTitle == "Lead"`, { department: ["Tax"], jobTitle: ["Lead"] }],
  [`${TAX} && subject.profile.missing == "x"`, { department: ["Tax"] }],
  [`${TAX} || subject.department == "Law"`, { department: ["Law", "Tax"] }],
  [
    `(${TAX} && subject.job_title == "Lead") || (subject.department == "Law" && has(subject.profile.x))`,
    { department: ["Law", "Tax"] },
  ],
  [`${TAX} && subject.department in ["Tax", "Law"]`, { department: ["Tax"] }],
  ['subject.manager_id == "u1"', { manager_id: ["u1"] }],
  [`${TAX} || subject.jobTitle == "Lead"`, null],
  [`!(${TAX})`, null],
  [`${TAX} ? true : true`, null],
  ['subject.department != "Tax"', null],
  ['subject.department == ""', null],
  ["true", null],
  ["not CEL (", null],
  ['user.department == "Tax"', null],
  ["subject.department == subject.jobTitle", null],
  [Array.from({ length: 51 }, (_, at) => `subject.department == "D${at}"`).join(" || "), null],
];

describe("what a rule demands of everyone whom it can match", () => {
  it.each(RULES)("%s", (expression, demand) => {
    expect(demandOf({ cel: { expression } })).toEqual(demand);
    expect(demandOf({ celExpression: { expression } })).toEqual(demand);
  });

  it("is false for all others, whatever else they have", () => {
    const texts = ["Tax", "Law", "Lead", "u1", "", "x"];
    const rows = texts.flatMap((department) =>
      texts.flatMap((jobTitle) =>
        texts.map((manager) => ({
          id: `${department}${jobTitle}${manager}`,
          department,
          jobTitle,
          managerIds: [manager],
          profile: jobTitle === "x" ? { x: "x" } : {},
        })),
      ),
    );
    const people = peopleOf(rows);
    const answers = answersFrom({
      people,
      areAll: true,
      accounts: new Map(),
      members: new Map(),
      groups: new Map(),
    });
    const language = languageFor("User", answers, new Date(0));
    for (const [expression, demand] of RULES) {
      const rule = readRule(expression, language);
      if (rule.as === "unreadable" || demand === null) continue;
      const others = people.filter((person) =>
        Object.entries(demand).some(([field, values]) => !values.includes(person[field as "department"])),
      );
      expect(others.length).toBeGreaterThan(0);
      const { ask } = rule;
      expect(others.map((one) => ask(one)).filter((answer) => !("is" in answer) || answer.is)).toEqual([]);
    }
  });

  it("is not known of a rule that was not seen, of a basic rule, and of one by entitlements", () => {
    expect(demandOf(undefined)).toBeNull();
    expect(demandOf({ basic: { expression: TAX } })).toBeNull();
    expect(demandOf({ entitlements: { entitlementRefs: [] } })).toBeNull();
  });

  it("is that of any of several rules, and no rule matches no one", () => {
    expect(demandOfAll([{ department: ["Tax"] }, { department: ["Law"], jobTitle: ["Lead"] }])).toEqual({
      department: ["Law", "Tax"],
    });
    expect(demandOfAll([{ department: ["Tax"] }, demandOf(null), demandOf({ none: {} })])).toEqual({
      department: ["Tax"],
    });
    expect(demandOfAll([{ department: ["Tax"] }, null])).toBeNull();
    expect(demandOfAll([])).toBeNull();
  });
});

describe("what else narrows a review", () => {
  it.each([
    [{ allUsers: {} }, []],
    [
      { grantsByCriteria: { daysSinceLastUsed: "7776000s", typeFilter: null } },
      ["grants (daysSinceLastUsed)"],
    ],
    [{ accountCriteria: { noAccountOwner: true } }, ["accounts (noAccountOwner)"]],
    [{ accountCelExpression: { expression: "true" } }, ["accounts (accountCelExpression)"]],
    [{ principalTypeFilter: "PRINCIPAL_TYPE_FILTER_USERS" }, []],
    [{ principalTypeFilter: "PRINCIPAL_TYPE_FILTER_RESOURCES" }, ["principals (principalTypeFilter)"]],
  ])("%j", (scope, named) => {
    expect(narrowingOf([undefined, scope], true)).toEqual(named);
    if ("accountCriteria" in scope) expect(narrowingOf([undefined, scope], false)).toEqual([]);
  });

  it("names what either of two scopes has", () => {
    const scopes = [
      { grantsByCriteria: { typeFilter: "X" } },
      { grantsByCriteria: { daysSinceAdded: "1s" } },
    ];
    expect(narrowingOf(scopes, true)).toEqual(["grants (daysSinceAdded, typeFilter)"]);
  });
});
