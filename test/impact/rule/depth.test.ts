import { expect, it } from "vitest";
import { isBasic } from "../../../src/impact/automation.js";
import { demandOf } from "../../../src/impact/demand.js";
import { decidingPart } from "../../../src/impact/rule/deciding.js";
import { languageFor } from "../../../src/impact/rule/language.js";
import { needsOfText } from "../../../src/impact/rule/needs.js";
import { reachOf } from "../../../src/impact/rule/reach.js";
import { readRule } from "../../../src/impact/rule/rule.js";
import { parseExpression } from "../../../src/manifest/cel.js";
import { expressionFaults } from "../../../src/manifest/expressionFaults.js";
import { readExpression } from "../../../src/manifest/expressions.js";
import { ANA, ANSWERS, NOW } from "../company.js";

const LANGUAGE = languageFor("User", ANSWERS, NOW);

/** Every way to nest a part in another, as deep as remit or the parser reads it. */
const NESTED: Readonly<Record<string, (depth: number) => string>> = {
  "!": (depth) => `${"!".repeat(depth)}(subject.email == "a")`,
  "( )": (depth) => `${"(".repeat(depth)}subject.email == "a"${")".repeat(depth)}`,
  "==": (depth) => `subject.email == "a"${" == (true)".repeat(depth)}`,
  "+": (depth) => `size("a"${' + "a"'.repeat(depth)}) > 1`,
  "-": (depth) => `1${" - 1".repeat(depth)} < timestamp(0).getHours()`,
  "?:": (depth) => `${'subject.email == "a" ? true : '.repeat(depth)}false`,
  "&& ||": (depth) =>
    `${'subject.email == "a" && (subject.id == "b" || '.repeat(depth)}true${")".repeat(depth)}`,
  ".": (depth) => `subject.profile${".a".repeat(depth)} == "a"`,
  "[ ]": (depth) => `subject.profile${'["a"]'.repeat(depth)} == "a"`,
  ".?": (depth) => `subject.profile.?a${".b".repeat(depth)}.hasValue()`,
  list: (depth) => `${"[".repeat(depth)}1${"]".repeat(depth)} == []`,
  map: (depth) => `${"{1: ".repeat(depth)}1${"}".repeat(depth)} == {}`,
  call: (depth) => `${"string(".repeat(depth)}"a"${")".repeat(depth)} == "a"`,
  method: (depth) => `subject.email${".trim()".repeat(depth)} == "a"`,
  exists: (depth) => `${"[1].exists(x, ".repeat(depth)}subject.email == "a"${")".repeat(depth)}`,
  all: (depth) => `${"[1].all(x, ".repeat(depth)}x > 1${")".repeat(depth)}`,
  now: (depth) => `now()${' + duration("1s")'.repeat(depth)} > timestamp(0)`,
};

/** The deepest of a form that is still read: the bounds are 250 of brackets and 500 of nodes. */
function deepest(write: (depth: number) => string): string {
  const depths = [498, 495, 490, 248, 245, 240, 120];
  return depths.map(write).find((text) => readExpression(text).fault === null) ?? "";
}

/** Everything that remit asks of an expression. */
function askEverything(expression: string) {
  const rule = readRule(expression, LANGUAGE);
  const answer = rule.as === "rule" ? rule.ask(ANA) : rule.why;
  demandOf({ cel: { expression } });
  isBasic(expression);
  needsOfText(expression);
  expressionFaults(expression, "rule");
  parseExpression(expression);
  return { answer, reach: reachOf(expression), part: decidingPart(expression, LANGUAGE, ANA)?.text };
}

/** Calls a function when a part of the stack is used up; the part is found by using up all of it. */
function withStackLeft<R>(share: number, call: () => R): R {
  const most = depthOf(0);
  const dive = (depth: number): R => (depth === 0 ? call() : dive(depth - 1));
  return dive(Math.floor(most * (1 - share)));
}

function depthOf(depth: number): number {
  try {
    return depthOf(depth + 1);
  } catch {
    return depth;
  }
}

it.each(Object.keys(NESTED))(
  "reads what is nested in %s to the bound, with three quarters of the stack",
  (form) => {
    const expression = deepest(NESTED[form] ?? String);
    const asked = withStackLeft(0.75, () => askEverything(expression));
    expect(expression).not.toBe("");
    expect(JSON.stringify(asked.answer)).not.toContain("too deep");
    expect(asked.part).toBeTypeOf("string");
  },
);

it("answers no differently for a long row than for a short one", () => {
  const row = (count: number) =>
    Array.from({ length: count }, (_, at) => `subject.email == "a${at}"`).join(" || ");
  expect(withStackLeft(0.75, () => askEverything(row(1_000)).answer)).toEqual({ is: false });
});
