import type { Askable } from "../impact/alike.js";
import { audienceOf, usersPartOf } from "../impact/audience.js";
import { conditionOf } from "../impact/automation.js";
import { answersFrom, type Census } from "../impact/census.js";
import { asAssumed, type Holding, holding, type Truth } from "../impact/holding.js";
import { outcomesOf } from "../impact/outcome.js";
import { askBoth } from "../impact/pairs.js";
import { type Person, peopleOf } from "../impact/person.js";
import { decidingPart } from "../impact/rule/deciding.js";
import { languageFor } from "../impact/rule/language.js";
import { allNeeds, expressionOf } from "../impact/rule/needs.js";
import { byAddress, formatAddress } from "../model/address.js";
import { type Checked, refuse } from "../model/diagnostic.js";
import { canonical, isObject, type JsonObject } from "../model/json.js";
import type { Counting, NamedPerson } from "../plan/people/impact.js";
import {
  allQuestionsOf,
  isAboutUsers,
  isUnchanged,
  type PeopleQuestion,
  questionsOf,
  type UserQuestion,
} from "../plan/people/question.js";
import type { RuleAnswer, RuleForPerson, Why } from "../plan/people/why.js";
import type { Plan } from "../plan/plan.js";
import { readPeople } from "../tenant/people.js";
import type { PeopleReads } from "../tenant/peopleReads.js";
import type { Reader } from "../tenant/reader.js";
import type { Remote } from "../tenant/reads.js";
import { makeTenant } from "../tenant/tenant.js";
import { say } from "../words/say.js";
import { factsFor, needsOfQuestion, type RuleFacts, refsOf } from "./ruleFacts.js";
import { changedBy } from "./turns.js";

/** What the plan means for one person, and every managed rule, with whether it matches them today. */
interface PersonMatches {
  readonly user: NamedPerson;
  /** By each rule and each review that the plan changes. */
  readonly changes: readonly Why[];
  readonly rules: readonly RuleForPerson[];
}

/** The longest that one answer may take, in milliseconds. */
const DEADLINE = 5_000;

/**
 * Why one person gains or loses by the planned change of one rule. Null, with the reason, where the service shows no such
 * user, or where the step changes no rule.
 */
export async function explain(
  plan: Plan,
  about: { readonly address: string; readonly email: string },
  remote: Remote,
  counting: Counting,
): Promise<Checked<Why | null>> {
  const questions = questionsOf(plan.steps);
  const question = allQuestionsOf(plan.steps)
    .filter(isAboutUsers)
    .find(({ step }) => formatAddress(step.address) === about.address);
  if (question === undefined) return refuse(say("impact/no-change", { address: about.address }));
  const reader = makeTenant(remote).reader();
  const reads = readPeople(reader, counting.calls);
  const { value: known, diagnostics: unknown } = await personAndFacts(
    about.email,
    [question],
    reader,
    reads,
    counting,
  );
  if (known === null) return { value: null, diagnostics: unknown };
  return { value: await whyOf(question, questions, known, reads, counting), diagnostics: [] };
}

/** Why one person gains or loses by the change of one rule, where `changes` are all that change with it. */
export async function whyOf(
  question: UserQuestion,
  changes: readonly PeopleQuestion[],
  { person, facts, all }: KnownPerson,
  reads: PeopleReads,
  counting: Counting,
): Promise<Why> {
  const language = languageFor("User", answersFrom(all), counting.today);
  // Who holds what other rules of the plan give is not certain once it is applied.
  const changing = changedBy(changes);
  const members = new Map([...facts.members].filter(([ref]) => !changing.has(ref)));
  const languageAfter = languageFor("User", answersFrom({ ...all, members, changing }), counting.today);
  const [before, after] = judge(
    question.as === "members"
      ? [
          conditionOf(question.before, language, facts.members),
          conditionOf(question.after, languageAfter, members),
        ]
      : [audienceOf(question.before, language), audienceOf(question.after, languageAfter)],
    person,
    counting,
  );
  const { address } = question.step;
  const user = { id: person.id, name: person.displayName, email: person.email };
  const common = {
    address,
    user,
    before: answerOf(askedOf(question, question.before), before),
    after: answerOf(askedOf(question, question.after), after),
  };
  if (question.as === "audience") return { ...common, as: "audience" };
  const member = (await reads.whoHold(question.entitlement, [person.id])).get(person.id) ?? null;
  const excluded = await isExcluded(question, person, reads);
  const outcomes = outcomesOf(before, after, holding(member), excluded);
  return { ...common, as: "members", member, excluded, outcomes };
}

/** What was read for the rules of some questions, and the one person whom they are asked about. */
interface KnownPerson {
  readonly person: Person;
  readonly facts: RuleFacts;
  readonly all: Census;
}

/** Reads what questions ask for, and the user of an address or an id; null, with the reason, where there is not one. */
export async function personAndFacts(
  email: string,
  questions: readonly PeopleQuestion[],
  reader: Reader,
  reads: PeopleReads,
  { calls }: Counting,
): Promise<Checked<KnownPerson | null>> {
  const needs = allNeeds(questions.map(needsOfQuestion));
  const held = await reads.held(questions.flatMap((question) => refsOf(question, needsOfQuestion(question))));
  const facts = await factsFor(needs, held, reads);
  const census = await findUser(reads, email, facts.others);
  const [person, ...others] = census.meant;
  if (person === undefined) {
    const refused = reader.unknown().find(({ what }) => what === "users")?.why ?? null;
    return noUser(email, census, refused, calls);
  }
  if (others.length > 0) {
    const ids = census.meant.map(({ id }) => id).join(", ");
    return refuse(say("impact/ambiguous-user", { email, ids }));
  }
  return {
    value: { person, facts, all: { ...facts, people: census.people, areAll: census.areAll } },
    diagnostics: [],
  };
}

interface Users {
  readonly meant: readonly Person[];
  readonly people: readonly Person[];
  readonly areAll: boolean;
}

/**
 * The user of an address or an id, from the service's own search. All users are read where a rule asks about other people,
 * and where the search finds none: whether it looks at every address of a user is not documented.
 */
async function findUser(reads: PeopleReads, asked: string, needsAll: boolean): Promise<Users> {
  const found = needsAll ? [] : meantBy(peopleOf(await reads.user(asked)), asked);
  if (found.length > 0) return { meant: found, people: found, areAll: false };
  const rows: JsonObject[] = [];
  const { isSteady } = await reads.users(null, (page) => rows.push(...page));
  const areAll = await isSteady;
  const people = peopleOf(rows);
  return { meant: meantBy(people, asked), people, areAll };
}

function meantBy(people: readonly Person[], asked: string): readonly Person[] {
  const wanted = asked.toLowerCase();
  return people.filter(
    ({ id, email, emails }) => id === asked || [email, ...emails].some((one) => one.toLowerCase() === wanted),
  );
}

function noUser(
  email: string,
  { people, areAll }: Users,
  refused: string | null,
  calls: number,
): Checked<null> {
  if (people.length === 0 && refused !== null) return refuse(say("impact/no-user#refused", { refused }));
  if (people.length === 0 && !areAll) return refuse(say("impact/no-user#budget", { calls }));
  if (people.length === 0) return refuse(say("impact/no-user#none"));
  const of = areAll ? `${people.length} users` : `the ${people.length} users that were read`;
  return refuse(say(areAll ? "impact/no-user#all" : "impact/no-user#some", { of, email }));
}

function judge(
  [before, after]: readonly [Askable, Askable],
  person: Person,
  { evaluate }: Counting,
): readonly [Holding, Holding] {
  let pair: readonly [Holding, Holding] | null = null;
  askBoth(
    before,
    after,
    evaluate,
  )([person], (_places, was, is) => {
    pair = [was, is];
  });
  if (pair === null) throw new Error("one person has one answer");
  return pair;
}

function answerOf(rule: JsonObject | null | undefined, answer: Holding): RuleAnswer {
  const { why, depends } = answer;
  return { rule: spelled(rule), matches: asAssumed(answer), why, assumptions: depends };
}

/** What is asked of a person: a rule, or the part of a scope that chooses its users. */
function askedOf({ as }: UserQuestion, rule: JsonObject | null | undefined): JsonObject | null | undefined {
  return as === "audience" && isObject(rule) ? usersPartOf(rule) : rule;
}

/** The expression of a rule; another rule as JSON. */
function spelled(rule: JsonObject | null | undefined): string {
  return rule === null || rule === undefined ? "" : (expressionOf(rule) ?? canonical(rule));
}

async function isExcluded(
  { entitlement, isNew }: Extract<PeopleQuestion, { as: "members" }>,
  { id }: Person,
  reads: PeopleReads,
): Promise<Truth> {
  if (isNew) return false;
  const excluded = await reads.excluded(entitlement);
  return excluded === null ? null : excluded.has(id);
}

/** What the plan changes for a person, and which managed rules match as the tenant has them today. */
export async function matchesOf(
  plan: Plan,
  email: string,
  remote: Remote,
  counting: Counting,
): Promise<Checked<PersonMatches | null>> {
  const changes = questionsOf(plan.steps);
  const all = allQuestionsOf(plan.steps)
    .filter(isAboutUsers)
    .toSorted((one, other) => byAddress(one.step.address, other.step.address));
  const questions = all.filter(({ before }) => before !== null);
  const reader = makeTenant(remote).reader();
  const reads = readPeople(reader, counting.calls);
  const { value, diagnostics } = await personAndFacts(email, all, reader, reads, counting);
  if (value === null) return { value: null, diagnostics };
  const { person, facts } = value;
  const changed = all.filter((question) => !isUnchanged(question));
  const whys = await Promise.all(changed.map((question) => whyOf(question, changes, value, reads, counting)));
  const language = languageFor("User", answersFrom(value.all), counting.today);
  const inTime = <T>(work: () => T): T | null => counting.evaluate(work, DEADLINE)?.value ?? null;
  const rules = questions.map(({ as, before, step }): RuleForPerson => {
    const question =
      as === "members"
        ? conditionOf(before, language, facts.members)
        : audienceOf(before ?? undefined, language);
    const answer = inTime(() => question.about(person)) ?? holding(null, "the expression takes too long");
    const expression = expressionOf(before ?? {});
    const part = expression === null ? null : inTime(() => decidingPart(expression, language, person));
    const matches = asAssumed(answer);
    return {
      address: step.address,
      matches,
      why: matches === null ? answer.why : null,
      decidedBy: part?.text ?? spelled(as === "audience" && isObject(before) ? usersPartOf(before) : before),
    };
  });
  const { id, displayName } = person;
  const user = { id, name: displayName, email: person.email };
  return { value: { user, changes: whys, rules }, diagnostics: [] };
}
