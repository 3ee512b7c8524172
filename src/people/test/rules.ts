import type { Assumption } from "../../impact/assumption.js";
import { audienceOf } from "../../impact/audience.js";
import { conditionOf } from "../../impact/automation.js";
import { answersFrom, type Census, type Evaluate } from "../../impact/census.js";
import { asAssumed, type Holding, holding } from "../../impact/holding.js";
import type { Person } from "../../impact/person.js";
import { decidingPart } from "../../impact/rule/deciding.js";
import { languageFor } from "../../impact/rule/language.js";
import { needsOf } from "../../impact/rule/needs.js";
import { kindOf } from "../../kinds/index.js";
import type { Kind } from "../../kinds/kind.js";
import { refName } from "../../kinds/people.js";
import type { Place, Resource } from "../../manifest/resource.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isObject, type JsonObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import { type OfflineNames, plainSpec } from "../plainSpec.js";
import type { ExpectedAnswer, TestDocument } from "./document.js";
import { contradictionsIn, groupsIn, membersIn } from "./holders.js";
import { directoryOf, type TestMistake } from "./people.js";

/** What became of one expectation: whether it holds, and what its answers rest on. */
export interface Verdict {
  readonly diagnostics: readonly Diagnostic[];
  readonly assumptions: readonly Assumption[];
}

/** The longest that one answer may take, in milliseconds. */
const DEADLINE = 5_000;

/** A rule of the project, or the users of a review, as a test asks it. */
export interface TestedRule {
  readonly address: string;
  /** Whether it gives access; otherwise it chooses whom a review covers. */
  readonly givesAccess: boolean;
  readonly about: (person: Person) => Holding;
  /** The text of its condition, and the language that it is written in; null where it has none. */
  readonly expression: string | null;
  readonly language: ReturnType<typeof languageFor>;
  readonly place: Place;
  /** Entitlements for which it asks, and of which the test does not say who holds them. */
  readonly unsaid: readonly string[];
}

/** What one test knows of the world: its people, and who holds what. */
interface TestWorld {
  readonly test: TestDocument;
  readonly people: ReadonlyMap<string, Person>;
  readonly apps: Readonly<Record<string, string>>;
  readonly today: Date;
}

/** The rules of a project as one test asks them. */
interface TestedRules {
  readonly rules: readonly TestedRule[];
  /** What the test says in two ways about an entitlement. */
  readonly mistakes: readonly TestMistake[];
}

/** The rules of a project in the world of one test. Kinds that decide about no one are left out. */
export function rulesIn(resources: readonly Resource[], world: TestWorld): TestedRules {
  const names = namesIn(world);
  const written = resources.flatMap((resource) => {
    const kind = kindOf(resource.address);
    const { as } = kind.concern;
    if (as !== "members" && as !== "audience") return [];
    return [{ resource, kind, spec: plainSpec(resource, kind.shape, names) }];
  });
  const addresses = new Map(
    written.flatMap(({ resource, kind, spec }) => {
      const key = kind.concern.as === "members" ? kind.key(spec) : null;
      if (key === null || kind.concern.as !== "members") return [];
      return [[formatAddress(resource.address), kind.concern.entitlement(key)] as const];
    }),
  );
  const said = { said: world.test.entitlements, people: world.people, apps: world.apps, addresses };
  const asked = written.flatMap(({ kind, spec }) => needsOf(partOf(kind, spec)).members);
  const members = membersIn(said, asked);
  const census: Census = {
    people: directoryOf(world.people),
    areAll: true,
    accounts: new Map(),
    members,
    groups: groupsIn(world.test.entitlements),
  };
  const language = languageFor("User", answersFrom(census), world.today);
  const rules = written.map(({ resource, kind, spec }): TestedRule => {
    const part = partOf(kind, spec);
    return {
      address: formatAddress(resource.address),
      givesAccess: kind.concern.as === "members",
      about: isEmpty(part)
        ? () => holding(null, "the manifest writes no rule, so only the tenant knows it")
        : kind.concern.as === "members"
          ? conditionOf(part, language, members).about
          : audienceOf(part, language).about,
      ...conditionIn(part, kind, resource),
      language,
      unsaid: needsOf(part)
        .members.map(refName)
        .filter((name) => !members.has(name)),
    };
  });
  return { rules, mistakes: contradictionsIn(said, asked) };
}

/** The part of a spec that decides about people. */
function partOf(kind: Kind, spec: JsonObject): JsonObject {
  if (kind.concern.as === "members") return kind.concern.rule(spec);
  return kind.concern.as === "audience" ? kind.concern.scope(spec) : {};
}

function isEmpty(part: JsonObject): boolean {
  return Object.keys(part).length === 0;
}

/** The expression of a rule, and where it is written; the member that decides where it has none. */
function conditionIn(
  part: JsonObject,
  kind: Kind,
  { place }: Resource,
): Pick<TestedRule, "expression" | "place"> {
  const under: Path = kind.concern.as === "audience" ? ["spec", "scope"] : ["spec"];
  for (const [name, member] of Object.entries(part))
    if (isObject(member) && typeof member.expression === "string")
      return { expression: member.expression, place: place([...under, name, "expression"]) };
  const [first] = Object.keys(part);
  return { expression: null, place: place(first === undefined ? under : [...under, first]) };
}

function namesIn({ people, apps }: TestWorld): OfflineNames {
  const byEmail = new Map([...people.values()].map(({ id, email }) => [email.toLowerCase(), id]));
  return { apps, user: (email) => byEmail.get(email.toLowerCase()) ?? email };
}

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
    const truth = asAssumed(answer);
    const assumptions = answer.depends;
    if (truth === expected) return { diagnostics: [], assumptions };
    return {
      diagnostics: [failure(test, expectation, tested, name, subject, answer, evaluate)],
      assumptions,
    };
  }
}

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
  const truth = asAssumed(answer);
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
