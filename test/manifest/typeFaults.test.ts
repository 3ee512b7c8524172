import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENVIRONMENTS, type EnvironmentName, MESSAGES } from "../../src/manifest/environments.js";
import { expressionFaults } from "../../src/manifest/expressionFaults.js";
import { cases } from "../fakes/cases.js";
import { examples } from "./examples.js";

const NAMES = Object.keys(ENVIRONMENTS) as EnvironmentName[];

function told(text: string, environment: EnvironmentName): readonly string[] {
  return expressionFaults(text, environment).map(
    ({ code, severity, message, start, end }) => `${severity} ${code} ${text.slice(start, end)}: ${message}`,
  );
}

describe("an example of the service's documentation", () => {
  it.each(examples)("is taken and refused as the service does, $number: $expression", (example) => {
    const faults = told(example.expression, example.subject === "A" ? "account" : "rule");
    if (example.check === "check:bool") return expect(faults).toEqual([]);
    // The list of attributes may have a gap, so an unknown one is a warning.
    const isAttribute = example.check.includes("No such key");
    expect(faults).toEqual([
      expect.stringMatching(isAttribute ? /^warning expression.unknown-attribute/ : /^error expression/),
    ]);
  });
});

describe("a value whose type does not fit is an error:", () => {
  it.each<[environment: EnvironmentName, text: string, fault: string]>([
    ["rule", 'subject.status == "ENABLED"', "== cannot compare a UserStatus with a text"],
    ["rule", "subject.department > 4", "> cannot compare a text with a whole number"],
    ["rule", "subject.manager_id in [1, 2]", "in does not find a text in a list of whole numbers"],
    ["rule", "subject.emails == 'a'", "== cannot compare a list of texts with a text"],
    ["rule", "subject.email + 1 == 'a'", "+ does not take a text and a whole number"],
    ["rule", "!subject.email", "! does not take a text"],
    ["rule", "subject.email && true", "&& takes conditions, and here is a text"],
    ["rule", "subject.email ? true : false", "a condition is expected, and here is a text"],
    ["rule", "subject.emails.exists(m, m)", "a condition is expected, and here is a text"],
    ["rule", "(true ? 1 : 'a') == 1", "a value of ? : is a whole number, and the other is a text"],
    ["rule", "subject.email.exists(m, m == 'a')", "a list or a map is expected, and here is a text"],
    ["rule", "subject.email.domain == 'a'", "a text has no fields"],
    ["rule", "subject.emails['a'] == 'a'", "a text is not a place in a list of texts"],
    ["rule", "subject.emails.startsWith('a')", "startsWith() is not a function of a list of texts"],
    ["rule", "subject.email.startsWith(1)", "startsWith() does not take a whole number"],
    ["rule", "size(1) == 1", "size() does not take a whole number"],
    ["rule", "c1.user.v1.HasApp('ana', 'app')", "HasApp() does not take a text and a text"],
    ["rule", "c1.user.v1.HasApp(subject)", "HasApp() does not take a user"],
    ["rule", "has(subject)", "has() does not take this value"],
    ["rule", "now() > '2026-01-01'", "> cannot compare a time with a text"],
    ["rule", "subject.department", "a condition is expected, and the expression gives a text"],
    ["rule", "subject", "a condition is expected, and the expression gives a user"],
    [
      "account",
      "subject.status == Status.ENABLED",
      "== cannot compare the status of an account with a Status",
    ],
    ["condition", "task.origin == 'WEBAPP'", "== cannot compare a TaskOrigin with a text"],
    ["condition", "account.email == 1 || true", "== cannot compare a text with a whole number"],
    [
      "configurationRule",
      "entitlement.role == 'Admin'",
      "== cannot compare a role or scope of an entitlement with a text",
    ],
    [
      "configurationRule",
      "entitlement.description",
      "a condition is expected, and the expression gives a text",
    ],
    ["approvers", "subject.manager", "a list of users is expected, and the expression gives a text"],
    [
      "approvers",
      "subject.department == 'Tax'",
      "a list of users is expected, and the expression gives a truth value",
    ],
    ["approvers", "subject.emails", "a list of users is expected, and the expression gives a list of texts"],
    [
      "approvers",
      "c1.user.v1.ListAppUsersForUser(subject, 'app')",
      "a list of users is expected, and the expression gives a list of accounts",
    ],
  ])("%s: %s", (environment, text, fault) => {
    expect(told(text, environment)).toEqual([expect.stringMatching(/^error expression.type /)]);
    expect(expressionFaults(text, environment)[0]?.message).toBe(fault);
  });

  it("each at its place, and nothing that only follows from one", () => {
    const text =
      'subject.email == 1 &&\n  subject.emails.exists(m, m > 2) &&\n  subject.status == "Disabled"';
    const faults = expressionFaults(text, "rule");
    expect(faults.map(({ start, end, hint }) => [text.slice(start, end), hint])).toEqual([
      ["subject.email == 1", "Write the number in quotes, or make a number of the text: int(TEXT)."],
      ["m > 2", "Write the number in quotes, or make a number of the text: int(TEXT)."],
      ['subject.status == "Disabled"', "Write UserStatus.DISABLED without quotes."],
    ]);
  });
});

describe("what the service may take is not an error:", () => {
  it.each<[environment: EnvironmentName, text: string]>([
    ["rule", "subject.profile.level > 4 && subject.profile.level == '4'"],
    ["rule", "subject.status == 1 || subject.status in [UserStatus.ENABLED, 2]"],
    ["rule", 'c1.directory.users.v1.FindByName("Ana") != null && subject.manager != null'],
    ["rule", "1 == 1.0 && size(subject.emails) == 2u"],
    ["rule", "c1.directory.users.v1.GetManagers(subject)[0] == subject"],
    [
      "rule",
      "int(now()) > 0 && string(now()) != '' && timestamp(now()) == now() && string(subject.status) != ''",
    ],
    ["rule", 'matches(subject.department, "^T") && {"a": 1}.exists(k, k == "a")'],
    ["rule", "has(c1.directory.users.v1.GetManagers(subject)[0].department)"],
    ["rule", "math.greatest(1, subject.email) && subject.email.reverse()"],
    ["rule", '["a", 1].exists(x, x == "a") && [[], ["a"]] == [[]]'],
    ["condition", 'task.grantDuration < duration("24h") && task.created_at > now() && task.numericId == 3'],
    [
      "condition",
      'cidr("10.0.0.0/8").contains(ip) && task.origin != TaskOrigin.API && task.origin != TASK_ORIGIN_SLACK',
    ],
    ["condition", 'entitlement.annotations["tier"] == "1" && entitlement.app_resource_type == "role"'],
    ["approvers", "appOwners"],
    ["approvers", "[]"],
    ["approvers", "appOwners.size() > 0 ? appOwners : c1.directory.users.v1.GetManagers(subject)"],
    ["approvers", 'c1.directory.users.v1.FindByEmail("ana@example.com")'],
    ["approvers", '[c1.directory.users.v1.FindByEmail("ana@example.com")] + appOwners'],
    ["approvers", "c1.directory.apps.v1.GetEntitlementOwners(entitlement)"],
    ["approvers", "subject.profile.approvers"],
  ])("%s: %s", (environment, text) => {
    const errors = expressionFaults(text, environment).filter(({ severity }) => severity === "error");
    expect(errors).toEqual([]);
  });
});

/** A member of what an environment knows, with its type. */
const PATHS = NAMES.flatMap((environment) =>
  Object.entries(ENVIRONMENTS[environment].knows).flatMap(([name, { type }]) =>
    Object.entries(MESSAGES[type as keyof typeof MESSAGES] ?? {}).map(([member, { type: of }]) => ({
      ...{ environment, path: `${name}.${member}`, type: of },
    })),
  ),
);
const LITERALS: Readonly<Record<string, string>> = {
  string: '"a"',
  int: "1",
  bool: "true",
  "list<string>": '["a"]',
};

it("a declared member is compared with a literal of its own type alone, and one of no known type with each", () => {
  const types = Object.keys(LITERALS);
  const test = fc.constantFrom("==", "!=");
  const sides = fc.tuple(fc.constantFrom(...PATHS), fc.constantFrom(...types), test, fc.boolean());
  fc.assert(
    fc.property(sides, ([{ environment, path, type }, literal, operator, isFirst]) => {
      const [one, other] = isFirst ? [path, LITERALS[literal]] : [LITERALS[literal], path];
      const text = `(${one} ${operator} ${other})${environment === "approvers" ? " ? [subject] : []" : ""}`;
      const isEnum = !type.includes("<") && !Object.hasOwn(MESSAGES, type) && !types.includes(type);
      const fits = type === literal || type === "dyn" || (isEnum && literal === "int");
      const isError = expressionFaults(text, environment).some(({ severity }) => severity === "error");
      expect(isError, text).toBe(!fits);
    }),
    { numRuns: cases(200) },
  );
});
