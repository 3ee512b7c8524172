import type { Assumption } from "../../impact/assumption.js";
import type { Evaluate } from "../../impact/census.js";
import { type Holding, holding } from "../../impact/holding.js";
import type { Person } from "../../impact/person.js";
import { decidingPart } from "../../impact/rule/deciding.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import type { ExpectedAnswer, TestDocument } from "./document.js";
import type { TestedRule } from "./rules.js";

/** What became of one expectation: whether it holds, and what its answers rest on. */
export interface Verdict {
  readonly diagnostics: readonly Diagnostic[];
  readonly assumptions: readonly Assumption[];
}

/** The longest that one answer may take, in milliseconds. */
const DEADLINE = 5_000;

/** Compares what rules say with what is expected. What is unknown never passes. */
export function judge(
  test: TestDocument,
  expectation: ExpectedAnswer,
  rules: ReadonlyMap<string, TestedRule>,
  people: ReadonlyMap<string, Person>,
  evaluate: Evaluate,
): Verdict {
  const { person, rule, is, only } = expectation;
  const asked = person === null ? [...people.keys()] : [person];
  if (only !== null) {
    const others = [...rules.values()].filter(
      ({ address, givesAccess }) => givesAccess && !only.includes(address),
    );
    return together(others.map((other) => judged(other, false)));
  }
  const found = rules.get(rule);
  return found === undefined ? unknownRule(test, expectation, rules) : judged(found, is);

  function judged(tested: TestedRule, expected: boolean): Verdict {
    return together(asked.map((name) => one(tested, name, expected)));
  }

  function one(tested: TestedRule, name: string, expected: boolean): Verdict {
    const subject = people.get(name);
    if (subject === undefined) throw new Error(`the test has no person ${name}`);
    const answer = answerOf(tested, subject, evaluate);
    const truth = answer.under(NO_CHOICE);
    const assumptions = answer.depends;
    if (truth === expected) return { diagnostics: [], assumptions };
    return {
      diagnostics: [failure(test, expectation, tested, name, subject, answer, evaluate)],
      assumptions,
    };
  }
}

const NO_CHOICE: ReadonlySet<Assumption> = new Set();

function answerOf(tested: TestedRule, person: Person, evaluate: Evaluate): Holding {
  const ran = evaluate(() => tested.about(person), DEADLINE);
  return ran?.value ?? holding(null, "the expression takes too long");
}

function failure(
  test: TestDocument,
  { path }: ExpectedAnswer,
  tested: TestedRule,
  name: string,
  person: Person,
  answer: Holding,
  evaluate: Evaluate,
): Diagnostic {
  const truth = answer.under(NO_CHOICE);
  const { address, givesAccess, place } = tested;
  const said =
    truth === null
      ? `it is unknown whether ${givesAccess ? `${name} holds ${address}` : `${address} covers ${name}`}`
      : givesAccess
        ? `${name} ${truth ? "holds" : "does not hold"} ${address}`
        : `${address} ${truth ? "covers" : "leaves out"} ${name}`;
  const unsaid = tested.unsaid.map((ref) => `the test does not say under \`entitlements:\` who holds ${ref}`);
  const why = truth !== null ? [] : unsaid.length > 0 ? unsaid : answer.why === null ? [] : [answer.why];
  const hints = [...why, ...decidedBy(tested, person, evaluate)];
  return say(
    truth === null ? "expectation/unknown" : "expectation/failed",
    { test: test.name, said },
    {
      ...test.place(path),
      related: [{ message: "the rule is here", span: place.span }],
      ...(hints.length > 0 && { hint: hints.map((sentence) => `${sentence}.`).join(" ") }),
    },
  );
}

/** The part of the expression that decided, and what the person has there. */
function decidedBy(
  { expression, language }: TestedRule,
  person: Person,
  evaluate: Evaluate,
): readonly string[] {
  if (expression === null) return [];
  const part = evaluate(() => decidingPart(expression, language, person), DEADLINE)?.value ?? null;
  if (part === null) return [];
  const what = part.is === null ? "unknown" : String(part.is);
  return [
    `This part is ${what}: ${part.text}`,
    ...part.fields.map(({ name, value }) => `${name} is ${value}`),
  ];
}

function unknownRule(
  test: TestDocument,
  { path, rule }: ExpectedAnswer,
  rules: ReadonlyMap<string, TestedRule>,
): Verdict {
  return {
    diagnostics: [
      say(
        "expectation/no-such-rule",
        { name: test.name, rule },
        { ...test.place(path), hint: didYouMean(rule, [...rules.keys()]) },
      ),
    ],
    assumptions: [],
  };
}

function together(verdicts: readonly Verdict[]): Verdict {
  return {
    diagnostics: verdicts.flatMap(({ diagnostics }) => diagnostics),
    assumptions: [...new Set(verdicts.flatMap(({ assumptions }) => assumptions))],
  };
}
