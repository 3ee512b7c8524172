import { audienceOf } from "../impact/audience.js";
import { conditionOf, isWithoutRule } from "../impact/automation.js";
import { answersFrom, type Census } from "../impact/census.js";
import type { Move } from "../impact/conflict.js";
import type { Count } from "../impact/count.js";
import { type Demand, demandOf, demandOfAll } from "../impact/demand.js";
import { type MembershipImpact, type MembershipTally, tallyMembership } from "../impact/membership.js";
import { type Person, peopleOf } from "../impact/person.js";
import { type ReviewImpact, type ReviewTally, SAME_REVIEW, tallyReview } from "../impact/review.js";
import { languageFor } from "../impact/rule/language.js";
import { refName } from "../kinds/people.js";
import type { JsonObject } from "../model/json.js";
import { once } from "../model/once.js";
import type { PeopleMoves } from "../plan/guards/own/input.js";
import type { Counting, NamedPerson, PlanImpact, StepImpact } from "../plan/people/impact.js";
import {
  isAboutUsers,
  type MembersQuestion,
  type PeopleQuestion,
  type UserQuestion,
} from "../plan/people/question.js";
import { type ListRead, NOT_READ, type PeopleReads } from "../tenant/peopleReads.js";
import {
  accessOf,
  callsAhead,
  membershipsOf,
  NOTHING_AHEAD,
  ownerOf,
  type PersonNames,
  standingsAhead,
  standingsOf,
} from "./access.js";
import { movesOf } from "./moves.js";
import { type AudienceQuestion, isStill, makeReviewReads, reviewOf } from "./reviews.js";
import type { RuleFacts } from "./ruleFacts.js";
import { Traits } from "./spread.js";
import { holdersAfter, inTurns } from "./turns.js";
import { NamesSeen, type ValuesSeen, valuesFor } from "./valuesSeen.js";

/** A rule is asked about so many people at once: to begin asking takes as long as asking about many of them. */
const AT_ONCE = 1_000;

/** What the users of the tenant say about some questions. */
export type UserTally = Pick<PlanImpact, "users" | "steps"> & {
  /** The same of each question, and of what follows. */
  readonly found: ReadonlyMap<PeopleQuestion, StepImpact>;
  /** Who gains and loses by each rule and each rule that follows, as far as the service does what it says. */
  readonly moved: ReadonlyMap<PeopleQuestion, Move>;
  /** What is known of a person by name; null where names were not asked for. */
  readonly nameOf: PersonNames;
  /** Who is moved, by each rule, each rule that follows and each review. */
  readonly counts: Readonly<Record<"gains" | "loses" | "enters" | "leaves", readonly Count[]>>;
  /** Who may gain and lose, where that was asked for; else null. */
  readonly moves: PeopleMoves | null;
  readonly seen: UsersSeen;
  /** Whether the service shows users at all; `not asked` where no question is about them. */
  readonly sight: "users" | "no users" | "not read" | "not asked";
};

/** What was seen of the users. */
interface UsersSeen {
  /** The members that their profiles have. */
  readonly profile: ReadonlySet<string>;
  /** What they have of the attributes that rules compare with values. */
  readonly values: () => ValuesSeen;
  /** How they are called, so that no value of theirs names one of them. */
  readonly names: NamesSeen;
  /** What they have of the attributes by which a plan tells apart who moves. */
  readonly traits: () => Traits;
}

type Tallied =
  | { readonly as: "members"; readonly question: MembersQuestion; readonly tally: MembershipTally }
  | { readonly as: "audience"; readonly question: AudienceQuestion; readonly tally: ReviewTally };

/**
 * Asks every rule about the users, who are read once, a page at a time. `changing` are the entitlements whose rules the
 * plan changes: who holds them is not certain for a new rule that asks. `following` are rules that stay, asked before and
 * after what the plan changes. Who may gain and lose is given only where it is asked for: all that is known of them is held
 * for it.
 */
export async function tallyUsers(
  asked: readonly PeopleQuestion[],
  following: readonly UserQuestion[],
  changing: ReadonlySet<string>,
  facts: RuleFacts,
  holding: Promise<ReadonlyMap<string, number>>,
  reads: PeopleReads,
  counting: Counting,
  asksMoves: boolean,
): Promise<UserTally> {
  const rules = [...asked.filter(isAboutUsers), ...following];
  const still = new Set(
    rules.filter((question) => question.as === "audience" && isStill(question, changing)),
  );
  const asking = rules.filter((question) => !still.has(question));
  const turns = inTurns(rules, changing, facts.groups);
  // Rules that ask about others, or for what other rules give, need everyone at once; the rest are asked a page at a time.
  const needsAll = facts.others || turns.length > 1;
  const demand = needsAll ? null : demandOfAll(asking.map(demandOfQuestion));
  const seen = makeSeen(asked, counting.names, asksMoves);
  const waiting: JsonObject[] = [];
  const offered = new Set([...asked, ...following].flatMap(offeredBy));
  const given = new Map<string, MembershipImpact["given"]>();
  const membersAfter = new Map([...facts.members].filter(([ref]) => !changing.has(ref)));
  let paged: readonly Tallied[] | null = null;
  const askPaged = () => {
    paged ??= tallies(rules, [], false);
    ask(paged, peopleOf(waiting.splice(0)));
    return paged;
  };
  const take = (rows: readonly JsonObject[]) => {
    waiting.push(...rows);
    if (!needsAll && waiting.length >= AT_ONCE) askPaged();
  };
  let users: UsersRead = { where: demand, list: NOT_READ, read: 0, sight: "not asked" };
  let ahead = NOTHING_AHEAD;
  // As many calls stay for the users, at least.
  if (asking.length > 0 && reads.allows(2 * callsAhead(asked)) === true)
    await reads.sideBySide([
      {
        calls: callsAhead(asked),
        async run(own) {
          ahead = await standingsAhead(asked, holding, own);
        },
      },
      {
        calls: "rest",
        async run(own) {
          users = await readUsers(demand, own, take);
        },
      },
    ]);
  else if (asking.length > 0) users = await readUsers(demand, reads, take);
  const { list, read, sight, where } = users;
  // Where no user is seen, no rule is asked. A review may still have campaigns.
  const isIdle = sight !== "users" && rules.every(({ as }) => as === "members");
  const all = needsAll || isIdle ? [] : askPaged();
  // The list is looked at again while other things are read, unless rules ask whether these are all people.
  let areAll = needsAll && (await list.isSteady);
  const owner = ownerOf();
  const nameFor = counting.names ? (id: string) => seen.named.get(id) ?? { id, name: "", email: "" } : null;
  const moves = new Map<UserQuestion, MembershipImpact>();
  const reviews = new Map<UserQuestion, ReviewTally>();
  const people = peopleOf(waiting);
  const held = await holding;
  const takeTurns = async (own: PeopleReads) => {
    for (const [at, turn] of turns.entries()) {
      const tallied = needsAll ? tallies(turn, people, areAll) : all;
      if (needsAll) ask(tallied, people);
      for (const one of tallied) if (one.as === "audience") reviews.set(one.question, one.tally);
      const members = tallied.filter((one) => one.as === "members");
      const standings = await standingsOf(members, held, ahead, own);
      const judged = members.flatMap((one, place) => {
        const standing = standings[place];
        return standing === undefined ? [] : [{ ...one, standing }];
      });
      const bounds = { users: list, isNarrowed: where !== null, isFirst: at === 0 };
      const found = await membershipsOf(judged, bounds, own, seen.meet);
      for (const [place, { question }] of judged.entries()) {
        const move = found[place];
        if (move === undefined) continue;
        moves.set(question, move);
        // What a profile offers as well may come from its enrollment.
        if (!offered.has(placeOf(question))) given.set(placeOf(question), move.given);
      }
      for (const question of turn) {
        const [fresh, now] = [given.get(placeOf(question)), facts.members.get(placeOf(question))];
        if (fresh !== undefined && now !== undefined)
          membersAfter.set(placeOf(question), holdersAfter(now, fresh));
      }
    }
  };
  const counted = new Set(read === 0 ? [] : asking);
  const ofReviews = makeReviewReads(asked, rules, counted, held, { changing, given });
  // The list of campaigns may be long, so it comes after what bounds a number.
  if (!isIdle)
    await reads.sideBySide([
      { calls: "rest", run: takeTurns },
      // Only where someone may lose it, it matters who asks.
      ...(all.some((one) => one.as === "members" && one.tally.mayLose()) ? [{ calls: 1, run: owner }] : []),
      ...ofReviews.works,
    ]);
  areAll = await list.isSteady;
  const steps = new Map<UserQuestion, StepImpact>();
  const found = new Map<UserQuestion, ReviewImpact>();
  for (const question of rules) {
    const [move, review] = [moves.get(question), reviews.get(question)];
    const what = ofReviews.reviewed.get(question);
    if (question.as === "audience" && review !== undefined && (what !== undefined || still.has(question))) {
      const impact = what === undefined ? SAME_REVIEW : review.impact(areAll, what);
      found.set(question, impact);
      const fitting = ofReviews.accounts.get(question) ?? null;
      steps.set(question, reviewOf(question, impact, held, reads, ofReviews.campaigns(), fitting, nameFor));
    } else if (question.as === "members" && move !== undefined)
      steps.set(
        question,
        await accessOf(question, { ...move, ...certainly(question, move) }, () => owner(reads), nameFor),
      );
  }
  const follows = new Set<UserQuestion>(following);
  const ofPlan = <T>(some: ReadonlyMap<UserQuestion, T>) =>
    new Map([...some].filter(([one]) => !follows.has(one)));
  return {
    sight,
    users: { read, areAll, where },
    steps: [...ofPlan(steps).values()],
    found: steps,
    seen,
    moved: new Map([...moves].map(([question, move]) => [question, movedBy(question, move)])),
    nameOf: nameFor,
    counts: countsOf(moves, found),
    moves: asksMoves ? movesOf(ofPlan(moves), ofPlan(found), seen.met, areAll) : null,
  };

  function ask(tallied: readonly Tallied[], people: readonly Person[]): void {
    seen.list(people);
    for (const one of tallied)
      if (one.as === "audience") one.tally.add(people);
      else one.tally.addListed(people);
  }

  function tallies(some: readonly UserQuestion[], people: readonly Person[], areAll: boolean) {
    const before = { ...facts, people, areAll };
    return talliesOf(some, before, { ...before, members: membersAfter, changing }, seen.listed, counting);
  }
}

/** How the users were read, and how many rows came. */
interface UsersRead extends Pick<UserTally, "sight"> {
  /** What was asked for; null for all of them. */
  readonly where: Demand | null;
  readonly list: ListRead;
  readonly read: number;
}

async function readUsers(
  where: Demand | null,
  reads: PeopleReads,
  take: (rows: readonly JsonObject[]) => void,
): Promise<UsersRead> {
  let read = 0;
  const count = (rows: readonly JsonObject[]) => {
    read += rows.length;
    take(rows);
  };
  const list = await reads.users(where, count);
  const sight = sightOf(read, list.isEnded);
  if (where === null || sight !== "no users") return { where, list, read, sight };
  // No one has what the rules demand, or the token sees no one: only the list of all users tells which.
  const whole = await reads.users(null, count);
  const all = { list: whole, read, sight: sightOf(read, whole.isEnded) };
  // What the search for them says of all users holds where the list was not read to its end.
  return (await whole.isSteady) || read === 0 ? { ...all, where: null } : { ...all, where, list, read: 0 };
}

/** What to count of each question: what its rule says before and after. */
function talliesOf(
  some: readonly UserQuestion[],
  before: Census,
  after: Census & Required<Pick<Census, "changing">>,
  listed: ReadonlySet<string>,
  { evaluate, today }: Counting,
): readonly Tallied[] {
  const language = languageFor("User", answersFrom(before), today);
  const languageAfter = after.changing.size === 0 ? language : languageFor("User", answersFrom(after), today);
  return some.map((question): Tallied => {
    if (question.as === "audience") {
      const earlier = audienceOf(question.before, language);
      const later = audienceOf(question.after, languageAfter);
      return { as: "audience", question, tally: tallyReview(earlier, later, evaluate) };
    }
    const earlier = conditionOf(question.before, language, before.members);
    const later = conditionOf(question.after, languageAfter, after.members);
    return { as: "members", question, tally: tallyMembership(earlier, later, evaluate, listed) };
  });
}

/** What was seen of people: their names only where the plan names them, all of them only where moves are heard. */
function makeSeen(asked: readonly PeopleQuestion[], names: boolean, asksMoves: boolean) {
  const profile = new Set<string>();
  // Where no user is seen, none is compared with the rules.
  const values = once(() => valuesFor(asked));
  const traits = once(() => new Traits(asked));
  const called = new NamesSeen();
  const named = new Map<string, NamedPerson>();
  const met = new Map<string, Person>();
  const listed = new Set<string>();

  function remember(people: readonly Person[]): void {
    traits().add(people);
    called.add(people);
    for (const person of people) for (const member of Object.keys(person.profile)) profile.add(member);
    if (names) for (const person of people) named.set(person.id, nameOf(person));
    if (asksMoves) for (const person of people) met.set(person.id, person);
  }

  return {
    profile,
    values,
    names: called,
    traits,
    named,
    met,
    listed,
    list(people: readonly Person[]): void {
      remember(people);
      values().add(people);
      for (const { id } of people) listed.add(id);
    },
    meet(rows: readonly JsonObject[]): readonly Person[] {
      const people = peopleOf(rows);
      remember(people);
      return people;
    },
  };
}

/** Who gains and loses for certain: no one where the service may do something else than the rule says. */
function certainly(
  question: UserQuestion,
  { gains, loses }: Pick<MembershipImpact, "gains" | "loses">,
): Readonly<Record<"gains" | "loses", Count>> {
  const isSure = question.as === "members" ? question.isSure : { gains: true, loses: true };
  const ends = question.as === "members" && isWithoutRule(question.after);
  return {
    gains: isSure.gains ? gains : { ...gains, low: 0 },
    loses: isSure.loses && !ends ? loses : { ...loses, low: 0 },
  };
}

/** Who gains, loses and has it afterwards: for certain only where the service does what the rule says. */
function movedBy(question: UserQuestion, move: MembershipImpact): Move {
  const isSure = question.as === "members" && question.isSure.gains;
  const given = isSure ? move.given : new Map([...move.given.keys()].map((id) => [id, null] as const));
  return { ...certainly(question, move), given };
}

/** Who is moved by each rule and each review. */
function countsOf(
  moves: ReadonlyMap<UserQuestion, MembershipImpact>,
  reviews: ReadonlyMap<UserQuestion, ReviewImpact>,
): UserTally["counts"] {
  const changes = [...moves].map(([question, move]) => certainly(question, move));
  return {
    gains: changes.map(({ gains }) => gains),
    loses: changes.map(({ loses }) => loses),
    enters: [...reviews.values()].map(({ enters }) => enters),
    leaves: [...reviews.values()].map(({ leaves }) => leaves),
  };
}

/** What a question offers to people, by `refName`. */
function offeredBy(question: PeopleQuestion): readonly string[] {
  return question.as === "members" || question.as === "enrolled" ? question.offered.map(refName) : [];
}

/** The entitlement that a question is about; empty where it is about none. */
function placeOf(question: UserQuestion): string {
  return question.as === "members" ? refName(question.entitlement) : "";
}

function sightOf(read: number, areAll: boolean): UserTally["sight"] {
  if (read > 0) return "users";
  return areAll ? "no users" : "not read";
}

/** What everyone has whom a rule of the question can match, before or after. */
function demandOfQuestion({ before, after }: UserQuestion): Demand {
  return demandOfAll([demandOf(before), demandOf(after)]);
}

function nameOf({ id, displayName, email }: Person): NamedPerson {
  return { id, name: displayName, email };
}
