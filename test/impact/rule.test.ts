import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answersFrom } from "../../src/impact/census.js";
import { languageFor } from "../../src/impact/language.js";
import { type Match, readRule } from "../../src/impact/rule.js";
import { ACCOUNT, ANA, ANSWERS, CENSUS, NOW } from "./company.js";

const USER = languageFor("User", ANSWERS, NOW);
const APP_USER = languageFor("AppUser", ANSWERS, NOW);

const EXAMPLES = readFileSync(new URL("../../docs/service/cel-examples.tsv", import.meta.url), "utf8");

/** The service shows no attributes; the time of day is not counted. */
const NOT_COUNTED: Readonly<Record<string, string>> = {
  27: "the rule asks for subject.attributes, which remit did not read",
  65: "time.format depends on the time of day",
  67: "getHours depends on the time of day",
};

/** Examples that fail in a function, which the reason then names. */
const FAILS: Readonly<Record<string, string>> = { 52: "the rule fails in FindByEmail" };

interface Example {
  readonly number: string;
  readonly subject: string;
  readonly check: string;
  readonly result: string;
  readonly expression: string;
}

// One expression has two lines.
const examples = EXAMPLES.split(/\n(?=\d+\t)/)
  .slice(1)
  .map((line): Example => {
    const [number = "", , subject = "", check = "", result = "", ...expression] = line.trimEnd().split("\t");
    return { number, subject, check, result, expression: expression.join("\t") };
  });

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
    if (check.startsWith("check ERR")) return expect(given).toBe(check.replace("check ERR ", ""));
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

  it("answers where a part that was not read does not matter", () => {
    expect(answer("true || c1.user.v1.HasApp(subject, 'unseen')")).toEqual({ is: true });
    expect(answer("c1.user.v1.HasApp(subject, 'unseen') && false")).toEqual({ is: false });
    expect(answer("c1.user.v1.HasApp(subject, 'unseen') || false")).toEqual({
      unknown: "HasApp asks for the accounts of the app unseen, which remit did not read",
    });
  });

  it("does not know about others where only some people were read", () => {
    const some = languageFor("User", answersFrom({ ...CENSUS, areAll: false }), NOW);
    const rule = readRule("c1.directory.users.v1.FindByEmail('cy@example.test').department == 'Tax'", some);
    expect(rule.as === "rule" && rule.ask(ANA)).toEqual({
      unknown: "FindByEmail asks for another user, which remit did not read",
    });
  });

  it("does not read a text, an unclosed expression or a deep one as a rule", () => {
    expect(answer("'x'")).toBe("the expression is not true or false");
    expect(answer("subject.department ==")).not.toHaveProperty("is");
    expect(answer("!".repeat(100_000))).not.toHaveProperty("is");
  });
});
