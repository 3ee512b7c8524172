import { heldName, type PeopleReads, readPeople } from "../current/people.js";
import { makeReader, type Remote } from "../current/remote.js";
import { Account } from "../impact/account.js";
import { audienceOf } from "../impact/audience.js";
import { conditionOf, isWithoutRule } from "../impact/automation.js";
import { answersFrom, type Census } from "../impact/census.js";
import { languageFor } from "../impact/language.js";
import { type Known, type MembershipTally, NOT_KNOWN, tallyMembership } from "../impact/membership.js";
import { allNeeds, type Needs, needsOf } from "../impact/needs.js";
import { type Person, peopleOf } from "../impact/person.js";
import { type ReviewTally, tallyReview } from "../impact/review.js";
import type { KindOf } from "../kinds/kindOf.js";
import { HOLDERS_PER_CALL } from "../kinds/people.js";
import type { JsonObject } from "../model/json.js";
import type { Counting } from "../plan/counting.js";
import {
  type NamedPerson,
  type PeopleQuestion,
  type PlanImpact,
  peopleCount,
  questionsOf,
  type StepImpact,
} from "../plan/impact.js";
import type { Plan } from "../plan/plan.js";

/** A plan with more new rules than this does not count their people unasked. */
const MANY_RULES = 20;

/** Who gains and loses by a plan, read within a budget; null where there is nothing to count or the service has no reads. */
export async function countPeople(
  plan: Plan,
  kindOf: KindOf,
  remote: Remote,
  counting: Counting,
): Promise<PlanImpact | null> {
  const isLive = ({ step }: PeopleQuestion) => plan.interface.kinds[step.address.kind]?.source === "live";
  const all = questionsOf(plan.steps, kindOf).filter(isLive);
  const [asked, skipped] = chosen(all, counting.effort);
  if (all.length === 0) return null;
  const reader = makeReader(remote, () => undefined);
  const reads = readPeople(reader, asked.length === 0 ? 0 : counting.calls);
  const held = await reads.held(asked.flatMap(refsOf));
  const needs = asked.map((question) => needsOfQuestion(question));
  const facts = await factsFor(allNeeds(needs), held, reads);
  const counted = await count(asked, facts, held, reads, counting);
  const many = `the plan has more than ${MANY_RULES} changed rules; \`--impact full\` counts new ones as well`;
  // Every tenant has users, so an empty list says what this token may see.
  const isBlind = asked.length > 0 && counted.users.read === 0;
  return {
    users: counted.users,
    steps: isBlind ? [] : counted.steps,
    uncounted: [
      ...(isBlind ? asked.map(({ step: { address } }) => ({ address, why: NO_USERS })) : []),
      ...skipped.map(({ step: { address } }) => ({ address, why: many })),
    ],
    failed: reader.unknown(),
    calls: reader.calls(),
  };
}

const NO_USERS = "the service shows no users to this token";

function chosen(
  all: readonly PeopleQuestion[],
  effort: Counting["effort"],
): readonly [readonly PeopleQuestion[], readonly PeopleQuestion[]] {
  const isNew = (question: PeopleQuestion) => question.as === "members" && question.isNew;
  const isMany = all.filter(({ as }) => as === "members").length > MANY_RULES;
  if (effort === "full" || !isMany) return [all, []];
  return [all.filter((question) => !isNew(question)), all.filter(isNew)];
}

function refsOf(question: PeopleQuestion) {
  if (question.as === "members") return [question.entitlement, ...needsOfQuestion(question).members];
  return [...question.added, ...question.removed];
}

function needsOfQuestion({ before, after }: PeopleQuestion): Needs {
  return allNeeds([needsOf(before), needsOf(after)]);
}

type Facts = Pick<Census, "accounts" | "members"> & { readonly others: boolean };

/** What rules ask for beside their subject, as far as it costs less than what is left. */
async function factsFor(
  { members, apps, others }: Needs,
  held: ReadonlyMap<string, number>,
  reads: PeopleReads,
): Promise<Facts> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const ref of members) {
    const name = heldName(ref);
    const grants = held.get(name);
    if (found.has(name) || grants === undefined || costOf(grants) > reads.left()) continue;
    const holders = await reads.holders(ref);
    if (holders !== null) found.set(name, holders);
  }
  const accounts = new Map<string, readonly Account[]>();
  for (const app of apps) {
    const rows = await reads.accounts(app);
    if (rows !== null)
      accounts.set(
        app,
        rows.map((row) => new Account(row)),
      );
  }
  return { members: found, accounts, others };
}

function costOf(grants: number): number {
  return Math.max(1, Math.ceil(grants / HOLDERS_PER_CALL));
}

type Tallied =
  | {
      readonly as: "members";
      readonly question: PeopleQuestion & { as: "members" };
      readonly tally: MembershipTally;
    }
  | {
      readonly as: "audience";
      readonly question: PeopleQuestion & { as: "audience" };
      readonly tally: ReviewTally;
    };

async function count(
  asked: readonly PeopleQuestion[],
  facts: Facts,
  held: ReadonlyMap<string, number>,
  reads: PeopleReads,
  { evaluate, names, today }: Counting,
): Promise<Pick<PlanImpact, "users" | "steps">> {
  const named = new Map<string, NamedPerson>();
  // Rules that ask about others need everyone at once; the rest are asked a page at a time.
  const waiting: JsonObject[] = [];
  let read = 0;
  let tallied: readonly Tallied[] = facts.others
    ? []
    : tallies(asked, { ...facts, people: [], areAll: false });
  const areAll = await reads.users((rows) => {
    read += rows.length;
    if (facts.others) waiting.push(...rows);
    else ask(peopleOf(rows));
  });
  if (facts.others) {
    const people = peopleOf(waiting);
    tallied = tallies(asked, { ...facts, people, areAll });
    ask(people);
  }
  const nameFor = names ? (id: string) => named.get(id) ?? { id, name: "", email: "" } : null;
  const steps: StepImpact[] = [];
  for (const one of tallied) steps.push(await impactOf(one, areAll, held, reads, nameFor));
  return { users: { read, areAll }, steps };

  function ask(people: readonly Person[]): void {
    if (names) for (const person of people) named.set(person.id, nameOf(person));
    for (const { tally } of tallied) tally.add(people);
  }

  function tallies(questions: readonly PeopleQuestion[], census: Omit<Census, "groups">): readonly Tallied[] {
    const answers = answersFrom({ ...census, groups: new Map() });
    const language = languageFor("User", answers, today);
    return questions.map((question): Tallied => {
      if (question.as === "audience") {
        const [before, after] = [question.before, question.after];
        const tally = tallyReview(audienceOf(before, language), audienceOf(after, language), evaluate);
        return { as: "audience", question, tally };
      }
      const before = conditionOf(question.before, language, facts.members);
      const after = conditionOf(question.after, language, facts.members);
      return { as: "members", question, tally: tallyMembership(before, after, evaluate) };
    });
  }
}

function nameOf({ id, displayName, email }: Person): NamedPerson {
  return { id, name: displayName, email };
}

async function impactOf(
  one: Tallied,
  areAll: boolean,
  held: ReadonlyMap<string, number>,
  reads: PeopleReads,
  names: ((id: string) => NamedPerson) | null,
): Promise<StepImpact> {
  const { address, key } = one.question.step;
  if (one.as === "audience") {
    const { before, after, enters, leaves, unknown } = one.tally.impact(areAll);
    const counts = { before, after, enters, leaves };
    const [added, removed] = [one.question.added, one.question.removed].map((refs) =>
      refs.map((ref) => ({ ...ref, grants: held.get(heldName(ref)) ?? null })),
    );
    return {
      address,
      key,
      as: "audience",
      unknown,
      ...counted(counts, names),
      added: added ?? [],
      removed: removed ?? [],
    };
  }
  const { entitlement, isNew, after } = one.question;
  const ends = isWithoutRule(after);
  const undecided = one.tally.undecided();
  const members = await membersOf(entitlement, undecided, held, reads);
  const exclusions = isNew || undecided.length === 0 ? NONE_EXCLUDED : await exclusionsOf(entitlement, reads);
  const { gains, loses, keeps, others, unknown } = one.tally.impact({ areAll, members, exclusions });
  return { address, key, as: "members", ends, unknown, ...counted({ gains, loses, keeps, others }, names) };
}

// Exclusions belong to an automation, so one that does not exist yet has none.
const NONE_EXCLUDED: Known = { people: new Map(), isComplete: true, count: 0 };

/** The members as far as they matter: by person or by grant, whichever needs fewer calls. */
async function membersOf(
  entitlement: Parameters<typeof heldName>[0],
  undecided: readonly string[],
  held: ReadonlyMap<string, number>,
  reads: PeopleReads,
): Promise<Known> {
  const grants = held.get(heldName(entitlement)) ?? null;
  const unknown = { ...NOT_KNOWN, count: grants };
  if (undecided.length === 0) return unknown;
  const byGrant = grants === null ? Number.POSITIVE_INFINITY : costOf(grants);
  if (Math.min(byGrant, undecided.length) > reads.left()) return unknown;
  if (byGrant > undecided.length) {
    return { people: await reads.whoHold(entitlement, undecided), isComplete: false, count: grants };
  }
  const holders = await reads.holders(entitlement);
  if (holders === null) return unknown;
  return { people: new Map([...holders].map((id) => [id, true])), isComplete: true, count: holders.size };
}

async function exclusionsOf(entitlement: Parameters<typeof heldName>[0], reads: PeopleReads): Promise<Known> {
  const excluded = await reads.excluded(entitlement);
  if (excluded === null) return NOT_KNOWN;
  return { people: new Map([...excluded].map((id) => [id, true])), isComplete: true, count: excluded.size };
}

function counted<Name extends string>(
  counts: Readonly<Record<Name, Parameters<typeof peopleCount>[0]>>,
  names: ((id: string) => NamedPerson) | null,
) {
  const entries = Object.entries(counts) as [Name, Parameters<typeof peopleCount>[0]][];
  return Object.fromEntries(entries.map(([name, count]) => [name, peopleCount(count, names)])) as Record<
    Name,
    ReturnType<typeof peopleCount>
  >;
}
