import type { PeopleReads } from "../current/people.js";
import { audienceOf } from "../impact/audience.js";
import { conditionOf } from "../impact/automation.js";
import { answersFrom, type Census } from "../impact/census.js";
import { type Demand, demandOf, together as demandTogether } from "../impact/demand.js";
import { languageFor } from "../impact/language.js";
import { type MembershipImpact, type MembershipTally, tallyMembership } from "../impact/membership.js";
import { type Person, peopleOf } from "../impact/person.js";
import { type ReviewTally, SAME_USERS, tallyReview } from "../impact/review.js";
import { together } from "../impact/together.js";
import type { JsonObject } from "../model/json.js";
import type { Counting } from "../plan/counting.js";
import type { NamedPerson, PlanImpact, StepImpact } from "../plan/impact.js";
import { isAboutUsers, type PeopleQuestion, type UserQuestion } from "../plan/question.js";
import { accessOf, type MembersQuestion, membershipOf, ownerOf } from "./access.js";
import { fittingAccounts } from "./fittingAccounts.js";
import { type AudienceQuestion, campaignsFor, reviewOf } from "./reviews.js";
import type { RuleFacts } from "./ruleFacts.js";

/** What the users of the tenant say about some questions. */
export type UserTally = Pick<PlanImpact, "users" | "steps" | "together"> & {
  /** Whether the service shows users at all; `not asked` where no question is about them. */
  readonly sight: "users" | "no users" | "not read" | "not asked";
};

type Tallied =
  | { readonly as: "members"; readonly question: MembersQuestion; readonly tally: MembershipTally }
  | { readonly as: "audience"; readonly question: AudienceQuestion; readonly tally: ReviewTally };

/** Asks every rule about the users, who are read once, a page at a time. */
export async function tallyUsers(
  asked: readonly PeopleQuestion[],
  facts: RuleFacts,
  held: ReadonlyMap<string, number>,
  reads: PeopleReads,
  { evaluate, names, today }: Counting,
): Promise<UserTally> {
  const rules = asked.filter(isAboutUsers);
  const asking = rules.filter((question) => question.as === "members" || !question.isSame);
  let narrowed = facts.others ? null : demandTogether(asking.map(demandOfQuestion));
  const named = new Map<string, NamedPerson>();
  // Rules that ask about others need everyone at once; the rest are asked a page at a time.
  const waiting: JsonObject[] = [];
  let read = 0;
  let tallied: readonly Tallied[] = facts.others ? [] : tallies({ ...facts, people: [], areAll: false });
  const wantsUsers = asking.length > 0;
  const take = (rows: readonly JsonObject[]) => {
    read += rows.length;
    if (facts.others) waiting.push(...rows);
    else ask(peopleOf(rows));
  };
  let areAll = wantsUsers && (await reads.users(narrowed, take));
  let sight: UserTally["sight"] = !wantsUsers ? "not asked" : sightOf(read, areAll);
  if (narrowed !== null && sight === "no users") {
    // No one has what the rules demand, or the token sees no one: only the list of all users tells which.
    const isWhole = await reads.users(null, take);
    sight = sightOf(read, isWhole);
    // What the search for them says of all users holds where the list was not read to its end.
    if (isWhole || read === 0) [narrowed, areAll] = [null, isWhole];
    else read = 0;
  }
  if (facts.others) {
    const people = peopleOf(waiting);
    tallied = tallies({ ...facts, people, areAll });
    ask(people);
  }
  const nameFor = names ? (id: string) => named.get(id) ?? { id, name: "", email: "" } : null;
  const owner = ownerOf(reads);
  const scope = { areAll, isNarrowed: narrowed !== null };
  const moves = new Map<Tallied, MembershipImpact>();
  for (const one of tallied) {
    if (one.as !== "members") continue;
    moves.set(one, await membershipOf(one.question, one.tally, scope, held, reads, meet));
  }
  // The list of campaigns may be long, so it comes after what bounds a number.
  const campaigns = await campaignsFor(asked, reads);
  const steps: StepImpact[] = [];
  for (const one of tallied) {
    const found = moves.get(one);
    if (one.as === "audience") {
      const impact = one.question.isSame ? SAME_USERS : one.tally.impact(areAll);
      const accounts = await fittingAccounts(one.question, reads);
      steps.push(reviewOf(one.question, impact, held, reads, campaigns, accounts, nameFor));
    } else if (found !== undefined) steps.push(await accessOf(one.question, found, owner, nameFor));
  }
  const sum = (which: "loses" | "gains") =>
    together(
      [...moves.values()].map((move) => move[which]),
      areAll,
    );
  return {
    sight,
    users: { read, areAll, where: narrowed },
    steps,
    together: { loses: sum("loses"), gains: sum("gains") },
  };

  function ask(people: readonly Person[]): void {
    remember(people);
    for (const { tally } of tallied) tally.add(people);
  }

  function meet(rows: readonly JsonObject[]): readonly Person[] {
    const people = peopleOf(rows);
    remember(people);
    return people;
  }

  function remember(people: readonly Person[]): void {
    if (names) for (const person of people) named.set(person.id, nameOf(person));
  }

  function tallies(census: Census): readonly Tallied[] {
    const language = languageFor("User", answersFrom(census), today);
    return rules.map((question): Tallied => {
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

function sightOf(read: number, areAll: boolean): UserTally["sight"] {
  if (read > 0) return "users";
  return areAll ? "no users" : "not read";
}

/** What everyone has whom a rule of the question can match, before or after. */
function demandOfQuestion({ before, after }: UserQuestion): Demand {
  return demandTogether([demandOf(before), demandOf(after)]);
}

function nameOf({ id, displayName, email }: Person): NamedPerson {
  return { id, name: displayName, email };
}
