import { expect, it } from "vitest";
import { languageFor } from "../../../src/impact/rule/language.js";
import { reachOf } from "../../../src/impact/rule/reach.js";
import { readRule } from "../../../src/impact/rule/rule.js";
import { ANA, ANSWERS, NOW } from "../company.js";
import { type Case, conformanceCases } from "./conformance.js";

const LANGUAGE = languageFor("User", ANSWERS, NOW);

/** What remit says of a case: the answer, or why it has none. */
function answerTo({ expression }: Case): boolean | string {
  const rule = readRule(expression, LANGUAGE);
  if (rule.as === "unreadable") return rule.why;
  const answer = rule.ask(ANA);
  return "is" in answer ? answer.is : answer.unknown;
}

const CASES = conformanceCases().map((one) => ({ ...one, got: answerTo(one) }));

it("answers no case of CEL's conformance data wrongly, and at least 930 of 1,987 exactly", () => {
  const answered = CASES.filter(({ got }) => typeof got === "boolean");
  expect(answered.filter(({ is, got }) => is !== got)).toEqual([]);
  expect([CASES.length, answered.length >= 930]).toEqual([1987, true]);
});

it("says of no case that holds for someone that it holds for no one, and the reverse", () => {
  const reached = CASES.map((one) => ({ ...one, reach: reachOf(one.expression) }));
  const isWrong = ({ is, reach }: (typeof reached)[number]) =>
    (reach === "everyone" && is === false) || (reach === "no one" && is === true);
  expect(reached.filter(isWrong)).toEqual([]);
});

it.each([
  ["timestamp('2009-02-13T23:31:30Z').getDayOfMonth('+11:00') == 13", true],
  ["timestamp('2009-02-13T02:00:00Z').getDayOfMonth('-02:30') == 11", true],
  ["timestamp('2009-02-13T23:31:30Z').getHours('02:00') == 1", true],
  ["timestamp('2009-02-13T23:31:30Z').getHours('+2') == 1", "the rule fails in getHours"],
  ["duration('-500ms') + duration('1s') == duration('500ms')", true],
  ["string(1000000.0) == '1e+06'", true],
  ["dyn('1') in {1: true}", false],
  ["dyn(true) in {'true': 1}", false],
  ["dyn(1u) in {1: true, 2: false}", true],
  ["'a' in {'a': 1} && !('b' in {'a': 1})", true],
  ["'\u{1F600}' > '\uFFFD'", true],
])("computes %s: %s", (expression, is) => {
  expect(answerTo({ name: "", expression, is: null })).toBe(is);
});
