import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reachOf } from "../../../src/impact/rule/reach.js";

describe("whom an expression can hold for", () => {
  it.each([
    "true",
    "(true)",
    "1 == 1",
    "true // x",
    "// all of them\ntrue",
    "!false",
    "true || subject.department == 'x'",
    "subject.department == 'x' || true",
    "subject.id == subject.id",
    "subject.department == 'x' || subject.department != 'x'",
    "subject.department == 'x' || !('x' == subject.department)",
    "!(subject.a == 'x' && subject.a == 'y')",
    "subject.level < 3 || subject.level >= 3",
    "subject.level > 3 || 3 >= subject.level",
    "subject.enabled ? true : true",
    "[1].exists(x, true)",
    "subject.emails.all(x, true)",
    "'a' in ['a', 'b']",
    "'abc'.startsWith('a')",
    "size([1]) > 0",
    "(subject.a == 'x') == true || subject.a != 'x'",
  ])("%s holds for everyone", (expression) => {
    expect(reachOf(expression)).toBe("everyone");
  });

  it.each([
    "false",
    "!true",
    "1 == 2",
    "subject.department == 'x' && false",
    "subject.a == 'x' && subject.a == 'y'",
    "subject.a == 'x' && subject.a != 'x'",
    "subject.id != subject.id",
    "subject.department in []",
    "[].exists(x, true)",
    "subject.emails.exists(x, false)",
  ])("%s holds for no one", (expression) => {
    expect(reachOf(expression)).toBe("no one");
  });

  it.each([
    "subject.department == 'x'",
    "subject.a == 'x' || subject.b == 'x'",
    "has(subject.a) && subject.a == 'x'",
    "c1.user.v1.HasApp(subject, 'app')",
    "subject.a == 'x' || subject.a == 'y'",
    "not ( CEL",
    "",
    "subject.a.matches('^(a+)+$')",
    "now() < timestamp('2030-01-01T00:00:00Z') && subject.a == 'x'",
    "c1.user.v1.HasApp(subject, 'app') && time.now() > time.parse('2026', 'x')",
    Array.from({ length: 2_000 }, (_, place) => `subject.a == 'x${place}'`).join(" || "),
    `${"(subject.a == 'x' ? true : ".repeat(100)}subject.b${")".repeat(100)}`,
    Array.from({ length: 40 }, (_, place) => `subject.a${place} == 'x'`).join(" && "),
  ])("%s depends on the person, or cannot be decided", (expression) => {
    expect(reachOf(expression)).toBe("depends");
  });

  it.each([
    "!'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.matches('^(a+)+$')",
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.matches('^(a+)+$')",
    "[1, 2].all(x, [1, 2].all(y, x == y))",
    "subject.a == 'x' || now() > timestamp('2020-01-01T00:00:00Z')",
    "subject.a == 'x' || c1.directory.users.v1.FindByEmail('a@example.com').department == 'x'",
    `${"(".repeat(5_000)}true${")".repeat(5_000)}`,
    `${"!".repeat(6_000)}true`,
    Array.from({ length: 20_000 }, (_, place) => `subject.a == 'x${place}'`).join(" || "),
  ])("%s may hold for everyone, which is not decided", (expression) => {
    expect(reachOf(expression)).toBe("undecided");
  });

  it.each([
    `${"(".repeat(60)}true${" ? true : false)".repeat(60)}`,
    `${"(".repeat(100)}subject.a${" ? true : true)".repeat(100)}`,
    `${Array.from({ length: 2_000 }, (_, place) => `subject.a == 'x${place}'`).join(" || ")} || true`,
    [false, true]
      .map((isNot) => {
        const tests = Array.from({ length: 13 }, (_, place) => `subject.a${place} == 'x'`);
        return isNot ? `!(${tests.join(" || ")})` : tests.join(" || ");
      })
      .join(" || "),
  ])("%s holds for everyone, however long it is", (expression) => {
    expect(reachOf(expression)).toBe("everyone");
  });

  it("says everyone or no one only where every case agrees", () => {
    const tests = ["a", "b", "c"];
    const formula: fc.Memo<string> = fc.memo((depth) =>
      depth <= 1
        ? fc.constantFrom(...tests.map((name) => `subject.${name}`), "true", "false")
        : fc.oneof(
            formula(1),
            fc.tuple(formula(depth - 1), formula(depth - 1)).map(([one, other]) => `(${one} || ${other})`),
            fc.tuple(formula(depth - 1), formula(depth - 1)).map(([one, other]) => `(${one} && ${other})`),
            formula(depth - 1).map((inner) => `!(${inner})`),
          ),
    );
    fc.assert(
      fc.property(formula(5), (expression) => {
        const script = expression.replaceAll("subject.", "");
        const holds = new Function(...tests, `return ${script};`);
        const results = Array.from({ length: 8 }, (_, bits) =>
          Boolean(holds(...tests.map((_name, place) => (bits & (1 << place)) !== 0))),
        );
        const wanted = results.every(Boolean) ? "everyone" : results.some(Boolean) ? "depends" : "no one";
        expect(reachOf(expression)).toBe(wanted);
      }),
    );
  });
});
