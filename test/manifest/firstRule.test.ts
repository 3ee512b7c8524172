import fc from "fast-check";
import { expect, test } from "vitest";
import { GRAMMAR } from "../../src/manifest/cel.js";
import { takesAll } from "../../src/manifest/firstRule.js";
import { cases } from "../fakes/cases.js";

test.each([
  "",
  " true ",
  "1 == 1",
  "!false && true",
  "true || subject.department == 'Tax'",
  'subject.email.endsWith("@example.com") || "a" in ["a"]',
  "true // whoever",
])("%j takes everything", (condition) => expect(takesAll(condition)).toBe(true));

test.each([
  "false",
  "subject.isAdmin",
  "true && subject.isAdmin",
  "1 ==",
  "1",
  '"true"',
  // What could run for long is not tried.
  "[1, 2].exists(one, one == 1)",
  '"aaaa".matches("(a+)+")',
])("%j is not known to take everything", (condition) => expect(takesAll(condition)).toBe(false));

test("what takes everything holds, whatever the names in it stand for", () => {
  const leaf = fc.constantFrom("true", "false", "subject.a", "!subject.b", "1 < 2", 'subject.c == "x"');
  const { condition } = fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc
        .tuple(tie("condition"), fc.constantFrom("||", "&&"), tie("condition"))
        .map(([one, tied, other]) => `(${one} ${tied} ${other})`),
    ),
  }));
  const facts = fc.record({ a: fc.boolean(), b: fc.boolean(), c: fc.constantFrom("x", "y") });
  fc.assert(
    fc.property(condition, facts, (text, subject) => {
      fc.pre(takesAll(text));
      expect(GRAMMAR.parse(text)({ subject })).toBe(true);
    }),
    { numRuns: cases(100) },
  );
});
