import { type Count, certainIn, eachPersonOnce } from "../impact/count.js";
import { peopleOf } from "../impact/person.js";
import { allNeeds, expressionOf, type Needs } from "../impact/rule/needs.js";
import { profileNamesIn } from "../manifest/attributes.js";
import { MESSAGES } from "../manifest/environments.js";
import type { Resource } from "../manifest/resource.js";
import { type GuardFacts, NO_GUARD_FACTS } from "../plan/guards/own/facts.js";
import { followersOf } from "../plan/people/follow.js";
import type { BoundedRange, Counting, PlanImpact } from "../plan/people/impact.js";
import { allQuestionsOf, isAboutUsers, type PeopleQuestion, questionsOf } from "../plan/people/question.js";
import { finder } from "../plan/people/totals.js";
import type { Plan } from "../plan/plan.js";
import type { Request } from "../plan/request.js";
import { nearlySame } from "../schema/didYouMean.js";
import { callsForRefs, readPeople } from "../tenant/people.js";
import type { PeopleReads } from "../tenant/peopleReads.js";
import type { Tenant } from "../tenant/tenant.js";
import { countConflicts, type DescribedConflict, movedConflicts, refsIn } from "./conflicts.js";
import { callsForHolders, countHolders } from "./holdings.js";
import { holdsBy, namedRules, type ProjectRules, refsAskedBy } from "./holds.js";
import { type RuleLeftOut, rulesLeftOut } from "./leftOut.js";
import { followOf, isShown, NO_USERS, NOT_READ, NOT_SHOWN } from "./notCounted.js";
import { factsFor, needsOfQuestion, refsOf } from "./ruleFacts.js";
import { spreadOf } from "./spread.js";
import { tallyUsers, type UserTally } from "./tallyUsers.js";
import { changedBy } from "./turns.js";
import { askedBy, valuesFor } from "./valuesSeen.js";

/** What guards that a team wrote ask of the people of a plan. */
interface GuardAsking {
  readonly rules: ProjectRules;
  /** The entitlements for which they ask who holds them. */
  readonly holds: readonly (readonly [app: string, entitlement: string])[];
}

/** Who gains and loses by a plan, and what guards that a team wrote read of them. */
interface Counted {
  readonly impact: PlanImpact;
  readonly facts: GuardFacts;
}

/** Who gains and loses by a plan, read within a budget. */
export async function countPeople(
  plan: Plan,
  tenant: Tenant,
  counting: Counting,
  besides: Besides = {},
): Promise<Counted | { readonly impact: null; readonly facts: GuardFacts }> {
  const all = (counting.about === "changes" ? questionsOf : allQuestionsOf)(plan.steps);
  return all.length === 0
    ? { impact: null, facts: NO_GUARD_FACTS }
    : countAsked(all, plan, tenant, counting, besides);
}

/** What is counted beside the steps of a plan, and who hears of the progress. */
interface Besides {
  readonly progress?: (done: number, total: number) => void;
  readonly guards?: GuardAsking | null;
  /** Rules of the project that the plan is not about. */
  readonly leftOut?: readonly RuleLeftOut[];
  /** The conflicts that manifests describe. */
  readonly conflicts?: readonly DescribedConflict[];
}

/** Who gains and loses by what some questions are about, and by the steps that follow from it. */
export async function countAsked(
  all: readonly PeopleQuestion[],
  plan: Pick<Plan, "steps" | "interface">,
  tenant: Tenant,
  counting: Counting,
  { progress = () => undefined, guards = null, leftOut = [], conflicts = [] }: Besides,
): Promise<Counted> {
  const asked = all.filter((question) => isShown(plan, question));
  const reader = tenant.reader(progress);
  const reads = readPeople(reader, asked.length === 0 ? 0 : counting.calls);
  const others = await rulesLeftOut(leftOut, plan, reads);
  const followers = followersOf(
    plan.steps,
    others.map(({ question }) => question),
  );
  const unread = new Set(others.filter(({ isRead }) => !isRead).map(({ question }) => question.step));
  const counted = followers.filter(({ question }) => isShown(plan, question) && !unread.has(question.step));
  const following = counted.map(({ question }) => question);
  const needed = [...asked, ...following].map((question) => ({ question, needs: needsOfQuestion(question) }));
  const rules = guards === null ? [] : namedRules(guards.rules, plan);
  const ofGuards = guards === null ? [] : refsAskedBy(guards.holds, rules);
  const moving = movedConflicts(conflicts, [...all, ...followers.map(({ question }) => question)]);
  const listed = [...ofGuards, ...moving.flatMap(({ conflict }) => refsIn(conflict))];
  const needs = allNeeds([...needed.map((one) => one.needs), { ...allNeeds([]), members: listed }]);
  const refs = [...needed.flatMap((one) => refsOf(one.question, one.needs)), ...listed];
  const changing = changedBy([...all, ...following]);
  let holding = Promise.resolve<ReadonlyMap<string, number>>(new Map());
  const [, { tally, facts }, holders] = await reads.sideBySide([
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
        const tally = await tallyUsers(
          asked,
          following,
          changing,
          facts,
          holding,
          own,
          counting,
          guards !== null,
        );
        return { tally, facts };
      },
    },
    { calls: callsForHolders(asked), run: (own) => countHolders(asked, own) },
  ]);
  const { users, sight, seen, counts } = tally;
  const isSeeing = sight === "users" || sight === "not asked";
  // A token that sees no users knows of no one who gains or loses.
  const ofTeam =
    isSeeing && tally.moves !== null
      ? { moves: tally.moves, holds: holdsBy(rules, facts, counting.today) }
      : NO_GUARD_FACTS;
  const steps = [
    ...(isSeeing ? tally.steps : tally.steps.filter((one) => one.as === "audience" && one.isStill)),
    ...holders.map(({ step }) => step),
  ];
  const known = (which: "gains" | "loses") => [
    ...(isSeeing ? counts[which] : []),
    ...holders.map((one) => one[which]),
  ];
  const moved = { gains: known("gains"), loses: known("loses") };
  const together = {
    gains: eachOnce(moved.gains),
    loses: eachOnce(moved.loses),
    enters: eachOnce(isSeeing ? counts.enters : []),
    leaves: eachOnce(isSeeing ? counts.leaves : []),
  };
  const areSeen = sight === "users" && users.areAll;
  const withoutPeople = areSeen ? await rulesWithoutPeople(asked, tally, reads) : [];
  const found = finder({ steps });
  const inConflict = countConflicts(moving, {
    members: facts.members,
    moved: isSeeing ? tally.moved : new Map(),
    holders,
    names: tally.nameOf,
    nameOf: reads.nameOf,
  });
  const failed = reader.unknown();
  const isRefused = failed.some(({ what }) => what === "users");
  const whyBlind = sight === "no users" ? NO_USERS : isRefused ? NOT_READ : outOfCalls(counting);
  const impact: PlanImpact = {
    users,
    steps,
    together,
    spread: isSeeing
      ? spreadOf(seen.traits(), (values) => seen.names.personalIn(values), moved, together)
      : [],
    follow: followers.map((one) => followOf(one, isSeeing ? (tally.found.get(one.question) ?? null) : null)),
    unknownAttributes: areSeen ? unknownIn(asked, seen.profile) : [],
    withoutPeople,
    ...(inConflict.length > 0 && { conflicts: inConflict }),
    uncounted: all
      .filter((question) => found(question) === undefined)
      .map((question) => ({
        address: question.step.address,
        why: !isShown(plan, question) ? NOT_SHOWN : question.as === "requesters" ? REQUESTERS : whyBlind,
      })),
    failed,
    // By name: a plan never depends on which of them is answered first.
    calls: Object.fromEntries(
      Object.entries(reader.calls()).sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
  };
  return { impact, facts: ofTeam };
}

/** The members of profiles that changed rules ask for, and that no user has. */
function unknownIn(
  asked: readonly PeopleQuestion[],
  profile: ReadonlySet<string>,
): NonNullable<PlanImpact["unknownAttributes"]> {
  return asked.flatMap((question) => {
    if (!isAboutUsers(question) || question.after === null) return [];
    const names = profileNamesIn(expressionOf(question.after) ?? "").filter((name) => !profile.has(name));
    const { address } = question.step;
    return names.map((name) => ({
      address,
      name,
      nearest: nearlySame(name, [...profile, ...Object.keys(MESSAGES.User)]) ?? null,
    }));
  });
}

/** The bounds of some counts together. */
function eachOnce(counts: readonly Count[]): BoundedRange {
  return { low: certainIn(counts).size, high: eachPersonOnce(counts) };
}

const REQUESTERS = "who may request what an access profile offers is not counted";

function outOfCalls({ calls }: Counting): string {
  return `\`impact.calls\` of ${calls} leaves no call for the users`;
}

function asksMore({ members, groups, apps }: Needs): boolean {
  return members.length + groups.length + apps.length > 0;
}

/**
 * The rules that are new, or held for no one, and hold for no one, with the values that no user has. All users were seen
 * that the rules demand. Where these are not all, the others are read for a new rule.
 */
async function rulesWithoutPeople(
  asked: readonly PeopleQuestion[],
  { users, found, seen }: UserTally,
  reads: PeopleReads,
): Promise<PlanImpact["withoutPeople"]> {
  const without = asked.filter(isAboutUsers).filter((question) => {
    const impact = found.get(question);
    const isRule = question.after !== null && expressionOf(question.after ?? {}) !== null;
    if (!isRule || (impact?.as !== "members" && impact?.as !== "audience")) return false;
    if (impact.as === "audience" && impact.isStill) return false;
    const wasEmpty = question.before === null || impact.before.high === 0;
    return wasEmpty && impact.after.high === 0;
  });
  if (without.length === 0) return [];
  const { names } = seen;
  let [values, areAll] = [seen.values(), users.where === null];
  // An edited rule that held for no one before is worth no list of all users.
  if (!areAll && without.some(({ before }) => before === null)) {
    values = valuesFor(without);
    const list = await reads.users(null, (rows) => {
      const people = peopleOf(rows);
      values.add(people);
      names.add(people);
    });
    areAll = await list.isSteady;
  }
  return without.map((question) => ({
    address: question.step.address,
    unmet: !areAll
      ? []
      : askedBy(question)
          .filter(({ attribute, value, isExact }) => values.isUnmet(attribute, value, isExact))
          .map(({ attribute, value }) => ({
            attribute,
            value,
            nearest: values.nearestTo(attribute, value, names),
          })),
  }));
}

/** What the guards of a team ask of people; null where none asks who gains, loses or holds something. */
export function guardAsking(
  { rules, project }: Pick<Request, "rules" | "project">,
  resources: readonly Resource[],
): GuardAsking | null {
  const { guards } = rules.settings.own;
  if (!guards.some(({ readsPeople }) => readsPeople)) return null;
  const apps = project.manifests.apps ?? {};
  const holds = guards.flatMap((guard) => guard.holds);
  return { rules: { resources, apps }, holds };
}
