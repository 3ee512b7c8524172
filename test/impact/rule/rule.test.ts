import { describe, expect, it } from "vitest";
import { answersFrom } from "../../../src/impact/census.js";
import { peopleOf } from "../../../src/impact/person.js";
import { languageFor } from "../../../src/impact/rule/language.js";
import { type Match, readRule } from "../../../src/impact/rule/rule.js";
import { isDeclared } from "../../../src/manifest/declared.js";
import { examples } from "../../manifest/examples.js";
import { ACCOUNT, ANA, ANSWERS, CENSUS, NOW } from "../company.js";

const USER = languageFor("User", ANSWERS, NOW);
const APP_USER = languageFor("AppUser", ANSWERS, NOW);

/** The service shows no attributes; the time of day is not counted. */
const NOT_COUNTED: Readonly<Record<string, string>> = {
  27: "the rule asks for subject.attributes, which remit did not read",
  65: "time.format depends on the time of day",
  67: "getHours depends on the time of day",
};

/** Examples that fail in a function, which the reason then names. */
const FAILS: Readonly<Record<string, string>> = {
  22: "the rule asks for a key that is not there",
  52: "the rule fails in FindByEmail",
  78: "the rule fails in >",
};

/** What a check says; enums have types of their own, because their numbers are not documented. */
function refusalOf(check: string): string {
  return check.replace("check ERR ", "").replace("int == string", "StatusValue == string");
}

function answer(expression: string, subject = "U"): Match | string {
  const rule = readRule(expression, subject === "A" ? APP_USER : USER);
  return rule.as === "unreadable" ? rule.why : rule.ask(subject === "A" ? ACCOUNT : ANA);
}

describe("a rule in the documented language", () => {
  it("has at least sixty documented examples", () => {
    expect(examples.length).toBeGreaterThanOrEqual(60);
  });

  it.each(examples)("$number: $expression", ({ number, subject, check, result, expression }) => {
    const given = answer(expression, subject);
    const reason = NOT_COUNTED[number];
    if (reason !== undefined)
      return expect(given).toEqual(typeof given === "string" ? reason : { unknown: reason });
    if (check.startsWith("check ERR")) return expect(given).toBe(refusalOf(check));
    if (result.startsWith("ERR"))
      return expect(given).toEqual({ unknown: FAILS[number] ?? "the rule fails" });
    expect(given).toEqual({ is: result === "true" });
  });

  it.each([
    ["c1.user.v1.ListAppUsersForUser(subject, 'app1').size() > 0", "ListAppUsersForUser"],
    ["subject.department.reverse() == 'x'", "reverse"],
    ["ip('10.0.0.1') == ip('10.0.0.2')", "ip"],
  ])("%s is unreadable, and the reason names the function", (expression, name) => {
    expect(answer(expression)).toContain(name);
  });

  it.each([
    ['"Études".lowerAscii() == "études"', { is: false }],
    ['"straße".upperAscii() == "STRAßE"', { is: true }],
    ['int("") == 0', { unknown: "the rule fails in int" }],
    ['int("0b11") == 3', { unknown: "the rule fails in int" }],
    ['double("0b11") == 3.0', { unknown: "the rule fails in double" }],
    ['timestamp("2026-01-01 10:00:00Z") < now()', { unknown: "the rule fails in timestamp" }],
    ['"😀a".substring(1) == "a" && "😀a".indexOf("a") == 1', { is: true }],
  ])("means by %s what CEL means", (expression, meant) => {
    expect(answer(expression)).toEqual(meant);
  });

  it.each([
    ["ab", "b\\\\z", true],
    ["abz", "b\\\\z", false],
    ["AB", "(?i)ab", true],
    ["a b", "^a\\\\sb$", true],
    ["a\\u00a0b", "^a\\\\sb$", false],
    ["a\\rb", "^a.b$", true],
    ["a-1", "^(?P<one>[a-c])-[\\\\d]+$", true],
    ["alpha", "^[[:alpha:]]+$", null],
    ["é", "\\\\pL", null],
    ["ab", "a(?=b)", null],
    ["aa", "(a)\\\\1", null],
  ])('"%s".matches("%s") is what RE2 finds: %s; null is unknown', (text, pattern, found) => {
    const why =
      "matches asks for a regular expression that remit does not translate, which remit did not read";
    expect(answer(`"${text}".matches("${pattern}")`)).toEqual(
      found === null ? { unknown: why } : { is: found },
    );
  });

  it.each([
    "subject.status == 1",
    "subject.type in [1, 2]",
    "subject.status > 0",
    'remit_lowerAscii("A") == "a"',
    '"A".remit_lowerAscii() == "a"',
  ])("does not read %s: the numbers and the names are not documented", (expression) => {
    expect(answer(expression)).toBeTypeOf("string");
  });

  it("knows whether a field is there only where it has a value: what has() finds else is not documented", () => {
    const [bare] = peopleOf([{ id: "u8" }]);
    const about = (expression: string, person = ANA) => {
      const rule = readRule(expression, USER);
      if (rule.as === "unreadable" || rule.askForValues === null) throw new Error("the rule asks for fields");
      return [rule.ask(person), rule.askForValues(person)];
    };
    const [yes, no] = [{ is: true }, { is: false }];
    expect(about("has(subject.department)")).toEqual([yes, yes]);
    expect(about("has(subject.department)", bare)).toEqual([yes, no]);
    expect(about("has(subject.emails) || has(subject.manager_id)", bare)).toEqual([yes, no]);
    expect(about('has(subject.department) && subject.department != ""', bare)).toEqual([no, no]);
  });

  it("answers where a part that was not read does not matter", () => {
    expect(answer("true || c1.user.v1.HasApp(subject, 'unseen')")).toEqual({ is: true });
    expect(answer("c1.user.v1.HasApp(subject, 'unseen') && false")).toEqual({ is: false });
    expect(answer("c1.user.v1.HasApp(subject, 'unseen') || false")).toEqual({
      unknown: "HasApp asks for the accounts of the app unseen, which remit did not read",
    });
  });

  it.each([
    "c1.user.v1.HasApp(subject, subject.email)",
    "c1.user.v1.HasEntitlement(subject, 'APP', subject.email)",
    "c1.user.v1.GetAppUserStatus(subject, subject.email) == 'x'",
    "c1.directory.groups.v1.FindByName(subject.email).id == 'x'",
    "c1.directory.apps.v1.GetEntitlementMembers('APP', subject.email).size() > 0",
    "c1.directory.users.v1.FindByEmail(subject.email + 'x').id == 'x'",
    "time.format(time.parse(subject.profile.hire_date, 'date'), subject.profile.costCenter) == 'x'",
    "time.start_of(time.parse(subject.profile.hire_date, 'date'), subject.email) < timestamp(0)",
    "timestamp(subject.email) < now()",
  ])("does not say what of a person %s asks for: its reasons stand in plans", (expression) => {
    const said = answer(expression);
    expect(said).toMatchObject({ unknown: expect.any(String) });
    expect(JSON.stringify(said)).not.toMatch(/ana|example|CC-77/);
  });

  it("does not know about others where only some people were read", () => {
    const some = languageFor("User", answersFrom({ ...CENSUS, areAll: false }), NOW);
    const rule = readRule("c1.directory.users.v1.FindByEmail('cy@example.test').department == 'Tax'", some);
    expect(rule.as === "rule" && rule.ask(ANA)).toEqual({
      unknown: "FindByEmail asks for another user, which remit did not read",
    });
  });

  it.each([
    `size([[1, 2]]${".map(a, a + a)".repeat(28)}[0]) > 3`,
    `size(["aaaaaaaa"]${".map(a, a + a)".repeat(25)}[0]) > 3`,
    `size("a"${'.replace("a", "aaaaaaaaaa")'.repeat(9)}) > 1`,
    `size([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]${".map(a, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]".repeat(7)}${")".repeat(7)}) > 1`,
    `cel.bind(a, [1], ${"cel.bind(a, a + a, ".repeat(28)}size(a) > 1${")".repeat(29)}`,
    `size(["a"]${".map(a, [a, a])".repeat(25)}) > 3`,
  ])("does not evaluate what takes the memory of a plan: %s", (expression) => {
    expect(answer(expression)).toBe("the expression makes values that are too large");
  });

  it("evaluates lists as rules make them", () => {
    const many = Array.from({ length: 1_000 }, (_, place) => `"user${place}@example.test"`).join(", ");
    expect(answer(`subject.email in [${many}]`)).toEqual({ is: false });
    expect(answer(`[${many}].map(m, m.split("@")[0]).exists(n, n == "user7")`)).toEqual({ is: true });
    expect(answer('subject.emails.map(m, m.lowerAscii() + "!").filter(m, m.size() > 3).size() == 2')).toEqual(
      {
        is: true,
      },
    );
  });

  it("does not read a text, an unclosed expression or a deep one as a rule", () => {
    expect(answer("'x'")).toBe("the expression is not true or false");
    expect(answer("subject.department ==")).not.toHaveProperty("is");
    expect(answer("!".repeat(100_000))).not.toHaveProperty("is");
  });
});

describe("the names that every rule knows", () => {
  it("are those that `with` of a manifest may not replace", () => {
    const names = USER.getDefinitions().variables.map(({ name }) => name);
    expect(names).toContain("subject");
    expect(names.filter((name) => !isDeclared(name))).toEqual([]);
  });
});
