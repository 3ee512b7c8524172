import { type Count, Tally, UNCOUNTED } from "../impact/count.js";
import { holding, inclusionOf } from "../impact/holding.js";
import { holds } from "../impact/outcome.js";
import { type EntitlementRef, type Holders, refName } from "../kinds/people.js";
import { peopleCount, type StepImpact } from "../plan/people/impact.js";
import type { PeopleQuestion } from "../plan/people/question.js";
import type { PeopleReads } from "../tenant/peopleReads.js";
import { costOf } from "./access.js";

type HoldingsQuestion = Extract<PeopleQuestion, { as: "holdings" }>;
type EnrolledQuestion = Extract<PeopleQuestion, { as: "enrolled" }>;

/** What a step means for those who hold something, and who they are. */
export interface HoldersCounted {
  readonly question: HoldingsQuestion | EnrolledQuestion;
  /** What is deleted with its object, by `refName`, and whether that is all; null where that is not known. */
  readonly under: { readonly refs: ReadonlySet<string>; readonly isAll: boolean } | null;
  readonly step: StepImpact;
  readonly gains: Count;
  readonly loses: Count;
}

const NO_ONE = new Tally().count();

/** What goes with each object that is deleted, and what those get who are enrolled where that changes. */
export async function countHolders(
  asked: readonly PeopleQuestion[],
  reads: PeopleReads,
): Promise<readonly HoldersCounted[]> {
  return reads.sideBySide(
    asked.filter(isAboutHolders).map((question) => ({
      calls: callsFor(question),
      run: (own: PeopleReads) =>
        question.as === "holdings" ? holdingsOf(question, own) : enrolledBy(question, own),
    })),
  );
}

/** How many calls it takes at least to count the holders that some questions are about. */
export function callsForHolders(asked: readonly PeopleQuestion[]): number {
  return asked.filter(isAboutHolders).reduce((sum, question) => sum + callsFor(question), 0);
}

function callsFor({ as }: HoldingsQuestion | EnrolledQuestion): number {
  return as === "holdings" ? 2 : 1;
}

function isAboutHolders(question: PeopleQuestion): question is HoldingsQuestion | EnrolledQuestion {
  return question.as === "holdings" || question.as === "enrolled";
}

/** What goes with an object: a search for its resources, one for their entitlements, and who has each. */
async function holdingsOf(question: HoldingsQuestion, reads: PeopleReads): Promise<HoldersCounted> {
  const { address, key } = question.step;
  const { of } = question;
  const [resources, found] = await reads.sideBySide([
    { calls: of.as === "type" || of.as === "app" ? 1 : 0, run: (own) => own.resources(of) },
    { calls: 1, run: (own) => own.heldUnder(of) },
  ]);
  const held = found?.held ?? [];
  const loses = await holdersOf(held, found?.isAll === true, reads);
  const extent = (low: number, isAll = true) =>
    found === null ? null : { low, isAll: found.isAll && isAll };
  // An entitlement does not go with itself.
  const isOne = of.as === "entitlement";
  const isEach = held.every(({ automated }) => automated !== null);
  const counted = held.reduce((sum, { grants }) => sum + grants, 0);
  const step: StepImpact = {
    address,
    key,
    as: "holdings",
    unknown: [],
    resources,
    entitlements: isOne ? { low: 0, isAll: true } : extent(held.length),
    automations: extent(held.filter(({ automated }) => automated === true).length, isEach),
    // Each of these people has a grant, whatever the service's own count says.
    grants: extent(Math.max(counted, loses.low), (!isOne || held.length === 1) && counted >= loses.low),
    people: peopleCount(loses, null),
  };
  const under = found && { refs: new Set(found.held.map(refName)), isAll: found.isAll };
  return { question, under, step, gains: NO_ONE, loses };
}

/** Those who are enrolled: whether an entry that is added or removed reaches them is not documented, so no one does for certain. */
async function enrolledBy(question: EnrolledQuestion, reads: PeopleReads): Promise<HoldersCounted> {
  const { entitlement, gives, takes } = question;
  const { address, key } = question.step;
  const all = { ...(await holdersOf([entitlement], true, reads)), low: 0 };
  const [gains, loses] = [gives ? all : NO_ONE, takes ? all : NO_ONE];
  const counts = { gains: peopleCount(gains, null), loses: peopleCount(loses, null) };
  const step = { address, key, as: "enrolled", unknown: [], ...counts } as const;
  return { question, under: null, step, gains, loses };
}

/** The people who have any of some entitlements; any number where a list could not be read, or `areAll` is false. */
async function holdersOf(
  held: readonly (EntitlementRef & { readonly grants?: number })[],
  areAll: boolean,
  reads: PeopleReads,
): Promise<Count> {
  // The service's own count may lag behind: an entitlement without grants by it may have some.
  const lists = await reads.sideBySide(
    held.map((one) => ({
      calls: costOf(one.grants ?? 0),
      run: (own: PeopleReads) => own.holders(one),
    })),
  );
  const known = lists.filter((list) => list !== null);
  if (known.length === 0 && (lists.length > 0 || !areAll)) return UNCOUNTED;
  const tally = new Tally();
  for (const [id, has] of eachHolder(known)) tally.add([id], inclusionOf([holding(has)], holds));
  return tally.count(areAll && known.length === lists.length ? 0 : null);
}

/** Everyone in some lists: for certain where one list says so. */
function eachHolder(lists: readonly Holders[]): Holders {
  const all = new Map<string, true | null>();
  for (const list of lists) for (const [id, has] of list) if (all.get(id) !== true) all.set(id, has);
  return all;
}
