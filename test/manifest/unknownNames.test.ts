import fc from "fast-check";
import { distance } from "fastest-levenshtein";
import { describe, expect, it } from "vitest";
import { FUNCTIONS, MEMBERS, METHODS, NAMES } from "../../src/manifest/declared.js";
import { type EnvironmentName, MESSAGES } from "../../src/manifest/environments.js";
import { expressionFaults } from "../../src/manifest/expressionFaults.js";
import { readExpression } from "../../src/manifest/expressions.js";
import { examples } from "./examples.js";
import { load, marked, templateScope } from "./loading.js";

/** What a check offline says of an expression. */
const faultsOf = (text: string, environment: EnvironmentName = "rule") => expressionFaults(text, environment);

function told(text: string): readonly string[] {
  return faultsOf(text).map(
    ({ severity, start, end, hint }) => `${severity} ${text.slice(start, end)}: ${hint}`,
  );
}

describe("the names and functions that a manifest may use", () => {
  it.each(examples.filter(({ check }) => check === "check:bool"))(
    "are in the documented expression $number: $expression",
    ({ expression, subject }) => {
      expect(faultsOf(expression, subject === "A" ? "account" : "rule")).toEqual([]);
    },
  );

  it.each([
    'cel.bind(team, subject.department, team == "Tax" || team == "Audit")',
    "[1, 2].map(n, n > 1, n * 2).filter(n, n > 2).exists_one(n, n == 4)",
    '{"a": 1}.exists(key, value, key == "a" && value == 1)',
    'subject.?department.optMap(d, d.lowerAscii()).orValue("") == "tax"',
    "subject.emails.exists(time, time.endsWith('x')) && time.unix(0) < now()",
    "type(1) == int && optional.none().hasValue() == false",
  ])("are those that macros bind, too: %s", (text) => {
    expect(told(text)).toEqual([]);
  });
});

describe("a name or a function that no rule has is an error with the nearest:", () => {
  it.each([
    ['subjct.department == "Tax"', ["error subjct: Did you mean subject?"]],
    ['user.department == "Tax"', ["error user: Did you mean subject?"]],
    ['department == "Tax"', ["error department: Did you mean subject.department?"]],
    [
      "subject.department == Engineering",
      ['error Engineering: Write a text in quotes: "Engineering". What a rule is about is subject.'],
    ],
    ["now > timestamp('2026-01-01T00:00:00Z')", ["error now: Did you mean now()?"]],
    ["subject.department == 'a' || True", ["error True: Did you mean true?"]],
    ["subject.status == USER_STATUS_ENABLD", ["error USER_STATUS_ENABLD: Did you mean USER_STATUS_ENABLED?"]],
    ["subject.status == UserStatus.ENABLD", ["warning ENABLD: Did you mean ENABLED?"]],
    ["subject.department.startWith('T')", ["error startWith: Did you mean startsWith?"]],
    ["lowerAscii(subject.department) == 'tax'", ["error lowerAscii: Did you mean VALUE.lowerAscii()?"]],
    ["HasApp(subject, 'app1')", ["error HasApp: Did you mean c1.user.v1.HasApp?"]],
    ["c1.user.v1.HasAp(subject, 'app1')", ["error HasAp: Did you mean c1.user.v1.HasApp?"]],
    ["c1.usr.v1.HasApp(subject, 'app1')", ["error HasApp: Did you mean c1.user.v1.HasApp?"]],
    ["[1].transformList(at, n, at > 0, n).size() == 0", ["warning transformList: The service checks it."]],
    ["math.greatest(1, 2) == 2", ["warning greatest: The service checks it."]],
    ["subject.department.reverse() == 'x'", ["warning reverse: The service checks it."]],
    [
      "subject.emails.exits(m, m.endsWith('x')) && cel.bind(x, x, x == 1)",
      [
        "error m: Did you mean exists?",
        expect.stringMatching(/^error x: /),
        "error exits: Did you mean exists?",
      ],
    ],
    ["subjct.a == 1 && subjct.b == 2", ["error subjct: Did you mean subject?"]],
  ])("%s", (text, faults) => {
    expect(told(text)).toEqual(faults);
  });

  it("in a manifest, at its characters, also where `with` gives other names", async () => {
    const cel = "{ expression: subjct.department == dept, with: { dept: Tax } }";
    const text = templateScope(
      "  scope:\n    celExpression:\n      expression: |\n        subjct.department == 'x'\n",
    );
    const { diagnostics, value } = await load(text);
    expect(diagnostics).toMatchObject([{ code: "expression/unknown-name", severity: "error" }]);
    expect(diagnostics[0] && marked(text, diagnostics[0])).toBe("subjct");
    expect(value).toEqual([]);
    const written = templateScope(`  scope:\n    celExpression: ${cel}\n`);
    const given = await load(written);
    expect(given.diagnostics[0] && marked(written, given.diagnostics[0])).toBe("subjct");
    expect(given.diagnostics.map(({ hint }) => hint)).toEqual(["Did you mean subject?"]);
    const fine = cel.replace("subjct", "subject");
    expect((await load(templateScope(`  scope:\n    celExpression: ${fine}\n`))).diagnostics).toEqual([]);
  });
});

/** A word that stands for something known in an expression, and what stands beside it in its list. */
interface Word {
  readonly start: number;
  readonly text: string;
  readonly known: readonly string[];
}

const ATTRIBUTES = { rule: Object.keys(MESSAGES.User), account: Object.keys(MESSAGES.AppUser) };

const LAST_PARTS = [...FUNCTIONS].map((name) => name.slice(name.lastIndexOf(".") + 1));

/** Every name, attribute, function and value of an enum in an expression, outside its texts and comments. */
function wordsOf(text: string, subject: keyof typeof ATTRIBUTES): readonly Word[] {
  const plain = text.replace(/\/\/.*|"[^"]*"|'[^']*'/g, (quoted) => " ".repeat(quoted.length));
  return [...plain.matchAll(/(?<before>\w+\.)?\b(?<word>[A-Za-z_]\w*)\b(?<call>\()?/g)].flatMap((found) => {
    const { before = "", word = "", call } = found.groups ?? {};
    const start = found.index + before.length;
    const isMember = plain[start - 1] === ".";
    const of = before.slice(0, -1);
    const known =
      call !== undefined
        ? [...METHODS, ...LAST_PARTS]
        : isMember
          ? of === "subject"
            ? ATTRIBUTES[subject]
            : (MEMBERS.get(of) ?? [])
          : ["subject", ...NAMES];
    return known.includes(word) && word !== "in" ? [{ start, text: word, known }] : [];
  });
}

const TYPO = fc.record({
  at: fc.nat(),
  how: fc.constantFrom("drop", "double", "swap", "replace"),
  letter: fc.constantFrom(..."aeiomnqxz"),
});

function mistyped(word: string, { at, how, letter }: { at: number; how: string; letter: string }): string {
  const place = at % word.length;
  const [before, one = "", after] = [word.slice(0, place), word[place], word.slice(place + 1)];
  if (how === "drop") return before + after;
  if (how === "double") return before + one + one + after;
  if (how === "replace") return before + letter + after;
  return before + after.slice(0, 1) + one + after.slice(1);
}

it("a typo in any name of a documented expression gives the name that was meant", () => {
  let tried = 0;
  const cases = examples
    .filter(({ check }) => check === "check:bool")
    .flatMap((example) => {
      const subject = example.subject === "A" ? ("account" as const) : ("rule" as const);
      return wordsOf(example.expression, subject).map((word) => ({ ...example, about: subject, word }));
    });
  fc.assert(
    fc.property(fc.constantFrom(...cases), TYPO, ({ expression, about, word }, typo) => {
      const wrong = mistyped(word.text, typo);
      const text = expression.slice(0, word.start) + wrong + expression.slice(word.start + word.text.length);
      const others = [
        "subject",
        ...NAMES,
        ...METHODS,
        ...LAST_PARTS,
        ...ATTRIBUTES[about],
        "true",
        "false",
        "null",
      ];
      const away = distance(wrong.toLowerCase(), word.text.toLowerCase());
      const isOther = others.some(
        (one) => one !== word.text && distance(wrong.toLowerCase(), one.toLowerCase()) <= away,
      );
      fc.pre(wrong !== word.text && wrong !== "" && !isOther && readExpression(text).fault === null);
      tried += 1;
      const said = faultsOf(text, about).map(({ message, hint }) => `${message}. ${hint}`);
      expect(said.join("\n"), `${text}: ${said.join("; ")}`).toMatch(new RegExp(`\\b${word.text}\\b`));
    }),
    { numRuns: 3_000 },
  );
  expect(tried).toBeGreaterThan(2_000);
});
