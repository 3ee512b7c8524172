import { type PeopleReads, readPeople } from "../current/people.js";
import { makeReader, type Remote } from "../current/remote.js";
import { audienceOf } from "../impact/audience.js";
import { conditionOf } from "../impact/automation.js";
import { answersFrom, type Census } from "../impact/census.js";
import { languageFor } from "../impact/language.js";
import { type MembershipImpact, type MembershipTally, tallyMembership } from "../impact/membership.js";
import { allNeeds } from "../impact/needs.js";
import { type Person, peopleOf } from "../impact/person.js";
import { type ReviewTally, tallyReview } from "../impact/review.js";
import { together } from "../impact/together.js";
import type { KindOf } from "../kinds/kindOf.js";
import { refName } from "../kinds/people.js";
import type { JsonObject } from "../model/json.js";
import type { Counting } from "../plan/counting.js";
import {
  type NamedPerson,
  type PeopleQuestion,
  type PlanImpact,
  questionsOf,
  type StepImpact,
} from "../plan/impact.js";
import type { Plan } from "../plan/plan.js";
import {
  accessOf,
  counted,
  type MembersQuestion,
  membershipOf,
  ownerOf,
  type PersonNames,
} from "./access.js";
import { factsFor, needsOfQuestion, type RuleFacts, refsOf } from "./ruleFacts.js";

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
  const needed = asked.map((question) => ({ question, needs: needsOfQuestion(question) }));
  const held = await reads.held(needed.flatMap(({ question, needs }) => refsOf(question, needs)));
  const facts = await factsFor(allNeeds(needed.map(({ needs }) => needs)), held, reads);
  const counted = await count(asked, facts, held, reads, counting);
  const many = `the plan has more than ${MANY_RULES} changed rules; \`--impact full\` counts new ones as well`;
  // Every tenant has users, so an empty list says what this token may see.
  const isBlind = asked.length > 0 && counted.users.read === 0;
  return {
    users: counted.users,
    steps: isBlind ? [] : counted.steps,
    together: isBlind ? { loses: 0, gains: 0 } : counted.together,
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

type Tallied =
  | {
      readonly as: "members";
      readonly question: MembersQuestion;
      readonly tally: MembershipTally;
    }
  | {
      readonly as: "audience";
      readonly question: PeopleQuestion & { as: "audience" };
      readonly tally: ReviewTally;
    };

async function count(
  asked: readonly PeopleQuestion[],
  facts: RuleFacts,
  held: ReadonlyMap<string, number>,
  reads: PeopleReads,
  { evaluate, names, today }: Counting,
): Promise<Pick<PlanImpact, "users" | "steps" | "together">> {
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
  const owner = ownerOf(reads);
  const steps: StepImpact[] = [];
  const moves: MembershipImpact[] = [];
  for (const one of tallied) {
    if (one.as === "audience") steps.push(reviewOf(one, areAll, held, nameFor));
    else {
      const found = await membershipOf(one.question, one.tally, areAll, held, reads);
      moves.push(found);
      steps.push(await accessOf(one.question, found, owner, nameFor));
    }
  }
  return {
    users: { read, areAll },
    steps,
    together: {
      loses: together(
        moves.map(({ loses }) => loses),
        areAll,
      ),
      gains: together(
        moves.map(({ gains }) => gains),
        areAll,
      ),
    },
  };

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

function reviewOf(
  { question, tally }: Extract<Tallied, { as: "audience" }>,
  areAll: boolean,
  held: ReadonlyMap<string, number>,
  names: PersonNames,
): StepImpact {
  const { address, key } = question.step;
  const { before, after, enters, leaves, unknown } = tally.impact(areAll);
  const withGrants = (refs: typeof question.added) =>
    refs.map((ref) => ({ ...ref, grants: held.get(refName(ref)) ?? null }));
  return {
    address,
    key,
    as: "audience",
    unknown,
    ...counted({ before, after, enters, leaves }, names),
    added: withGrants(question.added),
    removed: withGrants(question.removed),
  };
}
