import { callsForRefs, readPeople } from "../../current/people.js";
import type { Extent, PeopleReads } from "../../current/peopleReads.js";
import { makeReader, type Remote } from "../../current/remote.js";
import { allNeeds, expressionOf, type Needs } from "../../impact/rule/needs.js";
import { kinds } from "../../kinds/index.js";
import { type KindOf, kindFinder } from "../../kinds/kindOf.js";
import { type Held, HOLDERS_PER_CALL, refName } from "../../kinds/people.js";
import { ATTRIBUTES, profileNamesIn } from "../../manifest/attributes.js";
import type { GuardFacts } from "../../plan/guards/own/findings.js";
import type { PeopleMoves } from "../../plan/guards/own/input.js";
import type { Counting } from "../../plan/people/counting.js";
import { type Follower, followersOf } from "../../plan/people/follow.js";
import type { PlanImpact, StepImpact } from "../../plan/people/impact.js";
import { allQuestionsOf, type PeopleQuestion, questionsOf } from "../../plan/people/question.js";
import type { Plan } from "../../plan/plan.js";
import { nearlySame } from "../../schema/didYouMean.js";
import { holdsBy, namedRules, type ProjectRules, refsAskedBy } from "./holds.js";
import { factsFor, needsOfQuestion, refsOf } from "./ruleFacts.js";
import { tallyUsers } from "./tallyUsers.js";
import { changedBy } from "./turns.js";

/** A plan with more changed rules than this does not count the people of new ones unasked. */
const MANY_RULES = 20;

/** What guards that a team wrote ask of the people of a plan. */
export interface GuardAsking {
  readonly rules: ProjectRules;
  /** The entitlements for which they ask who holds them. */
  readonly holds: readonly (readonly [app: string, entitlement: string])[];
  /** Hears who may gain and lose, where users were asked about. */
  readonly hear: (facts: GuardFacts) => void;
}

/** Who gains and loses by a plan, read within a budget; null where there is nothing to count or the service has no reads. */
export async function countPeople(
  plan: Plan,
  kindOf: KindOf,
  remote: Remote,
  counting: Counting,
  progress: (done: number, total: number) => void = () => undefined,
  guards: GuardAsking | null = null,
): Promise<PlanImpact | null> {
  const all = countable(plan, kindOf, counting.about);
  if (all.length === 0) return null;
  const [asked, skipped] = chosen(all, counting.effort);
  const reader = makeReader(remote, progress);
  const reads = readPeople(reader, asked.length === 0 ? 0 : counting.calls);
  const followers =
    asked.length === 0
      ? []
      : followersOf(plan.steps, kindOf).filter(({ question }) => isLive(plan, question));
  const following = followers.map(({ question }) => question);
  const needed = [...asked, ...following].map((question) => ({ question, needs: needsOfQuestion(question) }));
  const rules = guards === null ? [] : namedRules(guards.rules, plan, kindOf);
  const ofGuards = guards === null ? [] : refsAskedBy(guards.holds, rules);
  const needs = allNeeds([...needed.map((one) => one.needs), { ...allNeeds([]), members: ofGuards }]);
  const refs = [...needed.flatMap((one) => refsOf(one.question, one.needs)), ...ofGuards];
  const changing = changedBy(questionsOf(plan.steps, kindOf));
  let heard: GuardFacts | null = null;
  let holding = Promise.resolve<ReadonlyMap<string, number>>(new Map());
  const [held, { sight, following: followed, profile, ...counted }, holdings] = await reads.sideBySide([
    {
      calls: callsForRefs(refs),
      run(own) {
        holding = own.held(refs);
        return holding;
      },
    },
    {
      calls: "rest",
      run: async (own) => {
        // The users are read beside the grants, unless a rule asks for more than its subject.
        const facts = await factsFor(needs, asksMore(needs) ? await holding : new Map(), own);
        const hearMoves = (moves: PeopleMoves) => {
          heard = { moves, holds: holdsBy(rules, facts, counting.today) };
        };
        return tallyUsers(
          asked,
          following,
          changing,
          facts,
          holding,
          own,
          counting,
          guards === null ? null : hearMoves,
        );
      },
    },
    { calls: 2 * asked.filter(isAboutHoldings).length, run: (own) => allHoldings(asked, own) },
  ]);
  const found = [...counted.steps, ...holdings.steps];
  const deleted = holdings.steps.length === 0 ? {} : { deleted: holdings.deleted };
  const steps = counting.effort === "full" ? found : found.filter((step) => !isIdle(step));
  const many = `the plan has more than ${MANY_RULES} changed rules; \`--impact full\` counts new ones as well`;
  const uncounted = skipped.map(({ step: { address } }) => ({ address, why: many }));
  const follow = followers.map((one, at) => followOf(one, followed[at] ?? null));
  const unknownAttributes = counted.users.areAll && sight === "users" ? unknownIn(asked, profile) : [];
  const common = {
    ...(unknownAttributes.length === 0 ? {} : { unknownAttributes }),
    ...(follow.length === 0 ? {} : { follow }),
    failed: reader.unknown(),
    // By name: a plan never depends on which of them is answered first.
    calls: Object.fromEntries(
      Object.entries(reader.calls()).sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
  };
  if (sight === "users" || sight === "not asked") {
    // A token that sees no users knows of no one who gains or loses.
    if (heard !== null) guards?.hear(heard);
    return { ...counted, together: { ...counted.together, ...deleted }, steps, uncounted, ...common };
  }
  // Where people hold something and no user is shown, the token sees none. Otherwise the tenant may have none.
  const isBlind = counting.effort === "full" || refs.some((ref) => held.get(refName(ref)) !== 0);
  const blind = isBlind ? asked.filter(asksUsers) : [];
  const isRefused = common.failed.some(({ what }) => what === "users");
  const why = sight === "no users" ? NO_USERS : isRefused ? NOT_READ : outOfCalls(counting);
  return {
    users: counted.users,
    steps: steps.filter(({ as }) => as === "holdings"),
    together: { loses: 0, gains: 0, ...deleted },
    uncounted: [...blind.map(({ step: { address } }) => ({ address, why })), ...uncounted],
    ...common,
  };
}

/** Whether a plan has something to count: its people are then known later than the rest. */
export function countsPeople(plan: Plan, kindOf: KindOf): boolean {
  return countable(plan, kindOf, "changes").length > 0;
}

/** Whether a step changes a rule or the users of a review. */
export function changesPeople(step: Plan["steps"][number]): boolean {
  return questionsOf([step], kindFinder(kinds)).some(({ as }) => as !== "holdings");
}

function countable(plan: Plan, kindOf: KindOf, about: Counting["about"]): readonly PeopleQuestion[] {
  const asked = about === "changes" ? questionsOf : allQuestionsOf;
  return asked(plan.steps, kindOf).filter((question) => isLive(plan, question));
}

function isLive(plan: Plan, { step }: PeopleQuestion): boolean {
  return plan.interface.kinds[step.address.kind]?.source === "live";
}

/** The members of profiles that changed rules ask for, and that no user has. */
function unknownIn(
  asked: readonly PeopleQuestion[],
  profile: ReadonlySet<string>,
): NonNullable<PlanImpact["unknownAttributes"]> {
  return asked.flatMap((question) => {
    if (question.as === "holdings" || question.after === null) return [];
    const names = profileNamesIn(expressionOf(question.after) ?? "").filter((name) => !profile.has(name));
    const { address } = question.step;
    return names.map((name) => ({
      address,
      name,
      nearest: nearlySame(name, [...profile, ...ATTRIBUTES.user]) ?? null,
    }));
  });
}

/** What becomes of a rule that follows, as a plan keeps it. */
function followOf(
  { question, asksFor, more }: Follower,
  impact: StepImpact | null,
): NonNullable<PlanImpact["follow"]>[number] {
  const counts = impact?.as === "members" ? { gains: impact.gains, loses: impact.loses } : null;
  return { address: question.step.address, asksFor, counts, more };
}

/** Whether a change of a review concerns no one yet: the same users, nothing that anyone holds, and no campaign. */
function isIdle(step: StepImpact): boolean {
  if (step.as !== "audience" || !step.isSame || step.campaigns === null || step.accounts !== undefined)
    return false;
  const { last, open } = step.campaigns;
  return (
    last === null && open.length === 0 && [...step.added, ...step.removed].every(({ grants }) => grants === 0)
  );
}

const NO_USERS = "the service shows no users to this token";
const NOT_READ = "the users could not be read";

function outOfCalls({ calls }: Counting): string {
  return `\`impact.calls\` of ${calls} leaves no call for the users`;
}

function asksUsers(question: PeopleQuestion): boolean {
  return question.as === "members" || (question.as === "audience" && !question.isSame);
}

function chosen(
  all: readonly PeopleQuestion[],
  effort: Counting["effort"],
): readonly [readonly PeopleQuestion[], readonly PeopleQuestion[]] {
  const isNew = (question: PeopleQuestion) => question.as === "members" && question.isNew;
  const isMany = all.filter(({ as }) => as === "members").length > MANY_RULES;
  if (effort === "full" || !isMany) return [all, []];
  return [all.filter((question) => !isNew(question)), all.filter(isNew)];
}

type HoldingsQuestion = Extract<PeopleQuestion, { as: "holdings" }>;

function isAboutHoldings(question: PeopleQuestion): question is HoldingsQuestion {
  return question.as === "holdings";
}

function asksMore({ members, groups, apps }: Needs): boolean {
  return members.length + groups.length + apps.length > 0;
}

/** What goes with what is deleted, and all the people who have any of it. */
async function allHoldings(
  asked: readonly PeopleQuestion[],
  reads: PeopleReads,
): Promise<{ readonly steps: readonly StepImpact[]; readonly deleted: Extent }> {
  const all = await reads.sideBySide(
    asked.filter(isAboutHoldings).map((question) => ({
      calls: 2,
      run: (own: PeopleReads) => holdingsOf(question, own),
    })),
  );
  const people = new Set(all.flatMap(({ holders }) => [...holders]));
  const isAll = all.every(({ step }) => step.people?.isAll === true);
  return { steps: all.map(({ step }) => step), deleted: { low: people.size, isAll } };
}

type HoldingsImpact = Extract<StepImpact, { as: "holdings" }>;

/** What goes with an object that is deleted: a search for its resources, one for their entitlements, and who has each. */
async function holdingsOf(
  { step: { address, key }, of }: HoldingsQuestion,
  reads: PeopleReads,
): Promise<{ readonly step: HoldingsImpact; readonly holders: ReadonlySet<string> }> {
  const [resources, found] = await reads.sideBySide([
    { calls: of.as === "type" ? 1 : 0, run: (own) => own.resources(of) },
    { calls: 1, run: (own) => own.heldUnder(of) },
  ]);
  const held = found?.held ?? [];
  const { holders, isAll: isRead, isBlind } = await holdersOf(held, reads);
  const extent = (low: number, isAll = true) =>
    found === null ? null : { low, isAll: found.isAll && isAll };
  // An entitlement does not go with itself.
  const isOne = of.as === "entitlement";
  const isEach = held.every(({ automated }) => automated !== null);
  const step: HoldingsImpact = {
    address,
    key,
    as: "holdings",
    unknown: [],
    resources,
    entitlements: isOne ? { low: 0, isAll: true } : extent(held.length),
    automations: extent(held.filter(({ automated }) => automated === true).length, isEach),
    grants: extent(
      held.reduce((sum, { grants }) => sum + grants, 0),
      !isOne || held.length === 1,
    ),
    people: isBlind ? null : extent(holders.size, isRead),
  };
  return { step, holders };
}

/** The people who have any of some entitlements; `isBlind` where no one could be read. */
async function holdersOf(held: readonly Held[], reads: PeopleReads) {
  const lists = await reads.sideBySide(
    held
      .filter(({ grants }) => grants > 0)
      .map((one) => ({
        calls: Math.ceil(one.grants / HOLDERS_PER_CALL),
        run: (own: PeopleReads) => own.holders(one),
      })),
  );
  const known = lists.filter((list) => list !== null);
  return {
    holders: new Set(known.flatMap((list) => [...list.keys()])),
    isAll: known.length === lists.length,
    isBlind: known.length === 0 && lists.length > 0,
  };
}
