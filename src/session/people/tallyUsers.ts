import type { ListRead, PeopleReads } from "../../current/peopleReads.js";
import { audienceOf } from "../../impact/audience.js";
import { conditionOf, isWithoutRule } from "../../impact/automation.js";
import { answersFrom, type Census } from "../../impact/census.js";
import type { Count } from "../../impact/count.js";
import { type Demand, demandOf, demandOfAll } from "../../impact/demand.js";
import { type MembershipImpact, type MembershipTally, tallyMembership } from "../../impact/membership.js";
import { type Person, peopleOf } from "../../impact/person.js";
import {
  type ReviewImpact,
  type ReviewTally,
  SAME_REVIEW,
  tallyReview,
  type UnderReview,
} from "../../impact/review.js";
import { languageFor } from "../../impact/rule/language.js";
import type { Campaign } from "../../kinds/campaign.js";
import { refName } from "../../kinds/people.js";
import type { JsonObject } from "../../model/json.js";
import type { PeopleMoves } from "../../plan/guards/own/input.js";
import type { Counting } from "../../plan/people/counting.js";
import type { NamedPerson, PlanImpact, StepImpact } from "../../plan/people/impact.js";
import { isAboutUsers, type PeopleQuestion, type UserQuestion } from "../../plan/people/question.js";
import {
  accessOf,
  callsAhead,
  type MembersQuestion,
  membershipsOf,
  NOTHING_AHEAD,
  ownerOf,
  standingsAhead,
  standingsOf,
} from "./access.js";
import { type FittingAccounts, fittingAccounts } from "./fittingAccounts.js";
import { movesOf } from "./moves.js";
import {
  type AudienceQuestion,
  callsForReviewed,
  campaignsFor,
  isStill,
  reviewedBy,
  reviewOf,
} from "./reviews.js";
import type { RuleFacts } from "./ruleFacts.js";
import { holdersAfter, inTurns } from "./turns.js";
import { type ValuesSeen, valuesFor } from "./valuesSeen.js";

/** A rule is asked about so many people at once: to begin asking takes as long as asking about many of them. */
const AT_ONCE = 1_000;

/** What the users of the tenant say about some questions. */
export type UserTally = Pick<PlanImpact, "users" | "steps"> & {
  /** The same of each question, and of what follows. */
  readonly found: ReadonlyMap<PeopleQuestion, StepImpact>;
  /** Who is moved, by each rule, each rule that follows and each review. */
  readonly counts: Readonly<Record<"gains" | "loses" | "enters" | "leaves", readonly Count[]>>;
  /** The members that the profiles of the users have. */
  readonly profile: ReadonlySet<string>;
  /** What they have of the attributes that rules compare with values. */
  readonly values: ValuesSeen;
  /** Whether the service shows users at all; `not asked` where no question is about them. */
  readonly sight: "users" | "no users" | "not read" | "not asked";
};

type Tallied =
  | { readonly as: "members"; readonly question: MembersQuestion; readonly tally: MembershipTally }
  | { readonly as: "audience"; readonly question: AudienceQuestion; readonly tally: ReviewTally };

/**
 * Asks every rule about the users, who are read once, a page at a time. `changing` are the entitlements whose rules the
 * plan changes: who holds them is not certain for a new rule that asks. `following` are rules that stay, asked before and
 * after what the plan changes. `hearMoves` hears who may gain and lose, with all that is
 * known of them: they are held only for it.
 */
export async function tallyUsers(
  asked: readonly PeopleQuestion[],
  following: readonly UserQuestion[],
  changing: ReadonlySet<string>,
  facts: RuleFacts,
  holding: Promise<ReadonlyMap<string, number>>,
  reads: PeopleReads,
  { evaluate, names, today }: Counting,
  hearMoves: ((moves: PeopleMoves) => void) | null = null,
): Promise<UserTally> {
  const rules = [...asked.filter(isAboutUsers), ...following];
  const still = new Set(
    rules.filter((question) => question.as === "audience" && isStill(question, changing)),
  );
  const asking = rules.filter((question) => !still.has(question));
  const turns = inTurns(rules, changing, facts.groups);
  // Rules that ask about others, or for what other rules give, need everyone at once; the rest are asked a page at a time.
  const needsAll = facts.others || turns.length > 1;
  let narrowed = needsAll ? null : demandOfAll(asking.map(demandOfQuestion));
  const named = new Map<string, NamedPerson>();
  const profile = new Set<string>();
  const values = valuesFor(asked);
  const met = new Map<string, Person>();
  const waiting: JsonObject[] = [];
  const listed = new Set<string>();
  const offered = new Set(
    [...asked, ...following].flatMap((question) =>
      question.as === "members" || question.as === "enrolled" ? question.offered.map(refName) : [],
    ),
  );
  const given = new Map<string, MembershipImpact["given"]>();
  const membersAfter = new Map([...facts.members].filter(([ref]) => !changing.has(ref)));
  let paged: readonly Tallied[] | null = null;
  let read = 0;
  const askPaged = () => {
    paged ??= tallies(rules, { ...facts, people: [], areAll: false });
    ask(paged, peopleOf(waiting.splice(0)));
    return paged;
  };
  const take = (rows: readonly JsonObject[]) => {
    read += rows.length;
    waiting.push(...rows);
    if (!needsAll && waiting.length >= AT_ONCE) askPaged();
  };
  let list: ListRead = { isEnded: false, isSteady: Promise.resolve(false) };
  let sight: UserTally["sight"] = "not asked";
  const readUsers = async (own: PeopleReads) => {
    list = await own.users(narrowed, take);
    sight = sightOf(read, list.isEnded);
    if (narrowed === null || sight !== "no users") return;
    // No one has what the rules demand, or the token sees no one: only the list of all users tells which.
    const whole = await own.users(null, take);
    sight = sightOf(read, whole.isEnded);
    // What the search for them says of all users holds where the list was not read to its end.
    if ((await whole.isSteady) || read === 0) [narrowed, list] = [null, whole];
    else read = 0;
  };
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
      { calls: "rest", run: readUsers },
    ]);
  else if (asking.length > 0) await readUsers(reads);
  const all = needsAll ? [] : askPaged();
  // The list is looked at again while other things are read, unless rules ask whether these are all people.
  let areAll = needsAll && (await list.isSteady);
  const owner = ownerOf();
  const nameFor = names ? (id: string) => named.get(id) ?? { id, name: "", email: "" } : null;
  const moves = new Map<UserQuestion, MembershipImpact>();
  const reviews = new Map<UserQuestion, ReviewTally>();
  const people = peopleOf(waiting);
  const held = await holding;
  const takeTurns = async (own: PeopleReads) => {
    for (const [at, turn] of turns.entries()) {
      const tallied = needsAll ? tallies(turn, { ...facts, people, areAll }) : all;
      if (needsAll) ask(tallied, people);
      for (const one of tallied) if (one.as === "audience") reviews.set(one.question, one.tally);
      const members = tallied.filter((one) => one.as === "members");
      const standings = await standingsOf(members, held, ahead, own);
      const judged = members.flatMap((one, place) => {
        const standing = standings[place];
        return standing === undefined ? [] : [{ ...one, standing }];
      });
      const bounds = { users: list, isNarrowed: narrowed !== null, isFirst: at === 0 };
      const found = await membershipsOf(judged, bounds, own, meet);
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
  let campaigns: readonly Campaign[] | null = null;
  const accounts = new Map<UserQuestion, FittingAccounts | null>();
  const reviewed = new Map<UserQuestion, UnderReview>();
  // The list of campaigns may be long, so it comes after what bounds a number.
  await reads.sideBySide([
    { calls: "rest", run: takeTurns },
    // Only where someone may lose it, it matters who asks.
    ...(all.some((one) => one.as === "members" && one.tally.mayLose()) ? [{ calls: 1, run: owner }] : []),
    {
      calls: rules.some(({ as }) => as === "audience") ? 1 : 0,
      async run(own) {
        campaigns = await campaignsFor(asked, own);
      },
    },
    ...rules.flatMap((question) =>
      question.as !== "audience"
        ? []
        : [
            {
              calls: 2,
              async run(own: PeopleReads) {
                accounts.set(question, await fittingAccounts(question, own));
              },
            },
            ...(still.has(question) || read === 0
              ? []
              : [
                  {
                    calls: callsForReviewed(question, held),
                    async run(own: PeopleReads) {
                      reviewed.set(question, await reviewedBy(question, held, { changing, given }, own));
                    },
                  },
                ]),
          ],
    ),
  ]);
  areAll = await list.isSteady;
  const steps = new Map<UserQuestion, StepImpact>();
  const found = new Map<UserQuestion, ReviewImpact>();
  for (const question of rules) {
    const [move, review] = [moves.get(question), reviews.get(question)];
    const what = reviewed.get(question);
    if (question.as === "audience" && review !== undefined && (what !== undefined || still.has(question))) {
      const impact = what === undefined ? SAME_REVIEW : review.impact(areAll, what);
      found.set(question, impact);
      const fitting = accounts.get(question) ?? null;
      steps.set(question, reviewOf(question, impact, held, reads, campaigns, fitting, nameFor));
    } else if (question.as === "members" && move !== undefined)
      steps.set(
        question,
        await accessOf(question, { ...move, ...certainly(question, move) }, () => owner(reads), nameFor),
      );
  }
  const follows = new Set<UserQuestion>(following);
  const changes = [...moves].map(([question, move]) => certainly(question, move));
  const ofPlan = <T>(some: ReadonlyMap<UserQuestion, T>) =>
    new Map([...some].filter(([one]) => !follows.has(one)));
  hearMoves?.(movesOf(ofPlan(moves), ofPlan(found), met, areAll));
  return {
    sight,
    users: { read, areAll, where: narrowed },
    steps: [...ofPlan(steps).values()],
    found: steps,
    profile,
    values,
    counts: {
      gains: changes.map(({ gains }) => gains),
      loses: changes.map(({ loses }) => loses),
      enters: [...found.values()].map(({ enters }) => enters),
      leaves: [...found.values()].map(({ leaves }) => leaves),
    },
  };

  function ask(tallied: readonly Tallied[], people: readonly Person[]): void {
    remember(people);
    values.add(people);
    for (const { id } of people) listed.add(id);
    for (const one of tallied)
      if (one.as === "audience") one.tally.add(people);
      else one.tally.addListed(people);
  }

  function meet(rows: readonly JsonObject[]): readonly Person[] {
    const people = peopleOf(rows);
    remember(people);
    return people;
  }

  function remember(people: readonly Person[]): void {
    for (const person of people) for (const member of Object.keys(person.profile)) profile.add(member);
    if (names) for (const person of people) named.set(person.id, nameOf(person));
    if (hearMoves !== null) for (const person of people) met.set(person.id, person);
  }

  function tallies(some: readonly UserQuestion[], census: Census): readonly Tallied[] {
    const language = languageFor("User", answersFrom(census), today);
    const after = { ...census, members: membersAfter, changing };
    const languageAfter = changing.size === 0 ? language : languageFor("User", answersFrom(after), today);
    return some.map((question): Tallied => {
      if (question.as === "audience") {
        const [before, after] = [
          audienceOf(question.before, language),
          audienceOf(question.after, languageAfter),
        ];
        return { as: "audience", question, tally: tallyReview(before, after, evaluate) };
      }
      const before = conditionOf(question.before, language, facts.members);
      const after = conditionOf(question.after, languageAfter, membersAfter);
      return { as: "members", question, tally: tallyMembership(before, after, evaluate, listed) };
    });
  }
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
