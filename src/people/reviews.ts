import type { Truth } from "../impact/holding.js";
import type { MembershipImpact } from "../impact/membership.js";
import { type ReviewImpact, SAME_REVIEW, type UnderReview } from "../impact/review.js";
import type { Campaign } from "../kinds/campaign.js";
import { type EntitlementRef, refName } from "../kinds/people.js";
import { canonical, isObject, type Json, type JsonObject } from "../model/json.js";
import { heldByAsked } from "../plan/people/follow.js";
import type { CampaignFacts, StepImpact, TemplateCampaigns } from "../plan/people/impact.js";
import { isUnchanged, type PeopleQuestion, type UserQuestion } from "../plan/people/question.js";
import type { Extent, PeopleReads, PeopleWork } from "../tenant/peopleReads.js";
import { costOf, counted, type PersonNames } from "./access.js";

/** A step that changes a scope: what to ask about it. */
export type AudienceQuestion = Extract<PeopleQuestion, { as: "audience" }>;

/** What an edit of a scope means, as a plan keeps it. */
export function reviewOf(
  question: AudienceQuestion,
  impact: ReviewImpact,
  held: ReadonlyMap<string, number>,
  reads: Pick<PeopleReads, "nameOf">,
  campaigns: readonly Campaign[] | null,
  accounts: FittingAccounts | null,
  names: PersonNames,
): StepImpact {
  const withGrants = (refs: typeof added) =>
    refs.map((ref) => ({ ...ref, grants: held.get(refName(ref)) ?? null, name: reads.nameOf(ref) }));
  const { step, isNew, isSame, before, after, added, removed, template } = question;
  const { address, key } = step;
  const { unknown, enters, leaves } = impact;
  return {
    address,
    key,
    as: "audience",
    ...{ isNew, isSame, isStill: impact === SAME_REVIEW },
    unknown,
    ...counted({ before: impact.before, after: impact.after }, null),
    ...(isUnchanged(question) && counted({ after: impact.after }, names)),
    ...counted({ enters, leaves }, names),
    added: withGrants(added),
    removed: withGrants(removed),
    notCounted: narrowingOf([before, after], accounts === null),
    ...(accounts === null ? {} : { accounts }),
    campaigns: campaigns === null ? null : campaignsOf(template, campaigns),
  };
}

/** Whether nothing changes that decides who is in a review; `changing` are the entitlements whose holders the plan changes. */
export function isStill(question: AudienceQuestion, changing: ReadonlySet<string>): boolean {
  const { isNew, isSame, isOtherwise, added, removed } = question;
  if (isNew || !isSame || isOtherwise || added.length > 0 || removed.length > 0) return false;
  return !asksForChanged(question, changing);
}

function asksForChanged(question: AudienceQuestion, changing: ReadonlySet<string>): boolean {
  return heldByAsked(question).some((ref) => changing.has(refName(ref)));
}

/** What a scope lists, before its edit and after. */
export function reviewedRefs({ added, removed, kept }: AudienceQuestion): readonly EntitlementRef[] {
  return [...added, ...removed, ...kept];
}

/** What a plan changes of who holds what. */
interface ChangedHolders {
  readonly changing: ReadonlySet<string>;
  /** Whom the new rule of an entitlement gives it, once all rules were asked; none where that is not known. */
  readonly given: ReadonlyMap<string, MembershipImpact["given"]>;
}

/** Who holds what is reviewed, now and after the plan: for each entitlement, the holders that could be read. */
async function reviewedBy(
  question: AudienceQuestion,
  held: ReadonlyMap<string, number>,
  { changing, given }: ChangedHolders,
  reads: PeopleReads,
): Promise<UnderReview> {
  const { isNew, isSame, isOtherwise, added, removed, kept, before, after } = question;
  const refs = reviewedRefs(question);
  const lists = await reads.sideBySide(
    refs.map((ref) => ({
      calls: costOf(held.get(refName(ref)) ?? 0),
      run: (own: PeopleReads) => own.holders(ref),
    })),
  );
  const holders = new Map(refs.map((ref, at) => [refName(ref), lists[at] ?? null]));
  const now = (ref: string, id: string): Truth => {
    const list = holders.get(ref) ?? null;
    return list === null ? null : list.has(id) ? (list.get(id) ?? null) : false;
  };
  // A review may begin before the next run of a changed rule, or after it.
  const then = (ref: string, id: string): Truth => {
    if (!changing.has(ref)) return now(ref, id);
    const all = given.get(ref);
    const gives = all === undefined ? null : all.has(id) ? (all.get(id) ?? null) : false;
    return gives === now(ref, id) ? gives : null;
  };
  const differs = (ref: string, id: string): Truth => {
    if (!changing.has(ref)) return false;
    const [one, other] = [now(ref, id), then(ref, id)];
    return one === other && one !== null ? false : null;
  };
  type Holds = (ref: string, id: string) => Truth;
  const anyOf = (...some: readonly (readonly [refs: readonly EntitlementRef[], holds: Holds])[]) => {
    const all = some.flatMap(([refs, holds]) => refs.map((ref) => [refName(ref), holds] as const));
    return (id: string): Truth => {
      const truths = all.map(([ref, holds]) => holds(ref, id));
      return truths.includes(true) ? true : truths.includes(null) ? null : false;
    };
  };
  const [old, fresh, moved] = [
    anyOf([kept, now], [removed, now]),
    anyOf([kept, then], [added, then]),
    anyOf([added, then], [removed, now], [kept, differs]),
  ];
  // The rows matter only where the scope says so; else it chooses by other criteria what is reviewed.
  const isListing = (scope: JsonObject | undefined) =>
    scope !== undefined && isObject(scope.specificResources);
  const [wasListed, isListed] = [isListing(before), isListing(after)];
  return {
    isNew,
    isSame: isSame && !asksForChanged(question, changing),
    isOtherwise,
    narrows: { before: before === undefined || narrows(before), after: narrows(after) },
    held: (id) => ({
      before: wasListed ? old(id) : null,
      after: isListed ? fresh(id) : null,
      moved: moved(id),
    }),
  };
}

function narrows(scope: JsonObject): boolean {
  const isExcluding = ["excludedSpecificResources", "excludedResourceTypeSelections"].some((name) =>
    isObject(scope[name]),
  );
  return isExcluding || narrowingOf([scope], true).length > 0;
}

/** How many calls it takes to read who holds what is reviewed. */
function callsForReviewed(question: AudienceQuestion, held: ReadonlyMap<string, number>): number {
  return reviewedRefs(question).reduce((sum, ref) => sum + costOf(held.get(refName(ref)) ?? 0), 0);
}

/** What is read for reviews, each in a work of its own. `asking` are those whose people are counted. */
export function makeReviewReads(
  asked: readonly PeopleQuestion[],
  rules: readonly UserQuestion[],
  asking: ReadonlySet<UserQuestion>,
  held: ReadonlyMap<string, number>,
  changed: ChangedHolders,
) {
  let campaigns: readonly Campaign[] | null = null;
  const accounts = new Map<UserQuestion, FittingAccounts | null>();
  const reviewed = new Map<UserQuestion, UnderReview>();
  const audiences = rules.filter((question) => question.as === "audience");
  if (audiences.length === 0) return { works: [], accounts, reviewed, campaigns: () => null };
  const peopleOf = (question: AudienceQuestion): PeopleWork<void> => ({
    calls: callsForReviewed(question, held),
    async run(own) {
      reviewed.set(question, await reviewedBy(question, held, changed, own));
    },
  });
  const works: readonly PeopleWork<void>[] = [
    {
      calls: audiences.length > 0 ? 1 : 0,
      async run(own) {
        if (asked.some(({ as }) => as === "audience")) campaigns = await own.campaigns();
      },
    },
    ...audiences.flatMap((question) => [
      {
        calls: 2,
        async run(own: PeopleReads) {
          accounts.set(question, await fittingAccounts(question, own));
        },
      },
      ...(asking.has(question) ? [peopleOf(question)] : []),
    ]),
  ];
  return { works, accounts, reviewed, campaigns: () => campaigns };
}

/** The campaigns of one template. */
function campaignsOf(template: string, all: readonly Campaign[]): TemplateCampaigns {
  const own = all
    .filter((campaign) => campaign.template === template)
    .toSorted((one, other) => order(other.since, one.since) || order(one.name, other.name));
  const last = own.find(({ state }) => state !== "open");
  const open = own.filter(({ state }) => state !== "closed");
  return { last: last === undefined ? null : factsOf(last), open: open.map(factsOf) };
}

function factsOf({ name, state, tasks, closes }: Campaign): CampaignFacts {
  return { name, isRunning: state === "running", tasks, closes: state === "closed" ? null : closes };
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** How many accounts of the reviewed apps fit the account criteria of a scope, before and after its edit. */
interface FittingAccounts {
  readonly before: Extent;
  readonly after: Extent;
}

/**
 * Counts the accounts that an edit of a scope is about, by the service's own search. Null where the criteria stay as they
 * are, where it is not known which apps are reviewed, and where the search has no filter for a criterion.
 */
async function fittingAccounts(
  { before, after, apps }: Pick<Extract<PeopleQuestion, { as: "audience" }>, "before" | "after" | "apps">,
  reads: Pick<PeopleReads, "sideBySide">,
): Promise<FittingAccounts | null> {
  const [was, is] = [criteriaIn(before), criteriaIn(after)];
  if (was === null || is === null || canonical(was) === canonical(is)) return null;
  if (apps.before.length === 0 || apps.after.length === 0) return null;
  const [old, fresh] = await reads.sideBySide([
    { calls: 1, run: (own) => fitting(own, was, apps.before) },
    { calls: 1, run: (own) => fitting(own, is, apps.after) },
  ]);
  return old == null || fresh == null ? null : { before: old, after: fresh };

  /** The search combines its filters with and; that a scope does is not documented, so more accounts may be meant. */
  async function fitting(
    own: PeopleReads,
    criteria: JsonObject,
    some: readonly string[],
  ): Promise<Extent | null> {
    const found = await own.fitting(criteria, some);
    return found !== null && Object.keys(criteria).length > 1 ? { ...found, isAll: false } : found;
  }
}

/** The account criteria of a scope that names its entitlements; no criteria for all accounts, null for any other choice. */
function criteriaIn(scope: JsonObject | undefined): JsonObject | null {
  if (scope === undefined || !isObject(scope.specificResources) || isObject(scope.accountCelExpression))
    return null;
  const { accountCriteria: criteria } = scope;
  if (!isObject(criteria)) return {};
  return Object.fromEntries(
    Object.entries(criteria).filter(([, value]) => value !== null && value !== false && !isEmpty(value)),
  );
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/**
 * What else than its users narrows a review, before or after an edit of its scope: `grants (daysSinceLastUsed)`. Its
 * account criteria are left out where they were counted.
 */
export function narrowingOf(
  scopes: readonly (JsonObject | undefined)[],
  withCriteria: boolean,
): readonly string[] {
  return [
    ...part("accounts", scopes, (scope) => [
      ...(withCriteria ? membersOf(scope.accountCriteria) : []),
      ...(isObject(scope.accountCelExpression) ? ["accountCelExpression"] : []),
    ]),
    ...part("grants", scopes, (scope) => membersOf(scope.grantsByCriteria)),
    ...part("principals", scopes, ({ principalTypeFilter: filter }) =>
      typeof filter === "string" && filter.includes("RESOURCES") ? ["principalTypeFilter"] : [],
    ),
  ];
}

function part(
  name: string,
  scopes: readonly (JsonObject | undefined)[],
  criteria: (scope: JsonObject) => readonly string[],
): readonly string[] {
  const all = scopes.flatMap((scope) => (scope === undefined ? [] : criteria(scope)));
  const names = [...new Set(all)].sort();
  return names.length === 0 ? [] : [`${name} (${names.join(", ")})`];
}

function membersOf(value: Json | undefined): readonly string[] {
  return isObject(value) ? Object.keys(value).filter((name) => value[name] !== null) : [];
}
