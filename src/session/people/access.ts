import { callsForRefs } from "../../current/people.js";
import type { PeopleReads, PeopleWork } from "../../current/peopleReads.js";
import { isWithoutRule } from "../../impact/automation.js";
import {
  type Facts,
  type Known,
  type MembershipImpact,
  type MembershipTally,
  NOT_KNOWN,
} from "../../impact/membership.js";
import type { Person } from "../../impact/person.js";
import { type EntitlementRef, HOLDERS_PER_CALL, refName } from "../../kinds/people.js";
import type { JsonObject } from "../../model/json.js";
import { type NamedPerson, peopleCount, type StepImpact } from "../../plan/people/impact.js";
import { isUnchanged, type PeopleQuestion } from "../../plan/people/question.js";

/** A step that changes a rule: what to ask about it. */
export type MembersQuestion = Extract<PeopleQuestion, { as: "members" }>;

/** The names of people by id; null where names were not asked for. */
export type PersonNames = ((id: string) => NamedPerson) | null;

/** What is known of those who hold an entitlement, and of those whom its automation leaves out. */
export interface Standing {
  readonly members: Known;
  readonly exclusions: Known;
}

/** Reads who holds and who is left out, for each rule about which some people are undecided: side by side. */
export async function standingsOf(
  asked: readonly { readonly question: MembersQuestion; readonly tally: MembershipTally }[],
  held: ReadonlyMap<string, number>,
  reads: PeopleReads,
): Promise<readonly Standing[]> {
  const works = asked.flatMap(({ question: { entitlement, isNew }, tally }): readonly PeopleWork<Known>[] => {
    const undecided = tally.undecided();
    const grants = held.get(refName(entitlement)) ?? null;
    const calls = Math.min(undecided.length, grants === null ? undecided.length : costOf(grants));
    const areSome = undecided.length > 0;
    return [
      { calls, run: (own) => membersOf(entitlement, undecided, grants, own) },
      areSome && !isNew
        ? { calls: 1, run: (own) => exclusionsOf(entitlement, own) }
        : { calls: 0, run: async () => NONE_EXCLUDED },
    ];
  });
  const known = await reads.sideBySide(works);
  return asked.map((_, at) => ({
    members: known[2 * at] ?? NOT_KNOWN,
    exclusions: known[2 * at + 1] ?? NOT_KNOWN,
  }));
}

/** Who gains and loses an entitlement: the rules' people, with the members and exclusions that matter. */
export async function membershipOf(
  tally: MembershipTally,
  { members, exclusions }: Standing,
  {
    areAll,
    isNarrowed,
    isFirst,
  }: Pick<Facts, "areAll"> & {
    readonly isNarrowed: boolean;
    /** Whether it asks for nothing that other changed rules give: these were not asked about people who come late. */
    readonly isFirst: boolean;
  },
  reads: PeopleReads,
  meet: (rows: readonly JsonObject[]) => readonly Person[],
): Promise<MembershipImpact> {
  const strangers = areAll && isFirst ? tally.strangers(members) : [];
  const canAsk = strangers.length === 0 || (await reads.allows(callsForRefs(strangers)));
  // Members whom the list of users left out: by its filter, or because it changed while it was read.
  if (strangers.length > 0 && canAsk) tally.add(meet(await reads.usersOf(strangers)));
  return tally.impact({ areAll, areSomeLeftOut: isNarrowed && !canAsk, members, exclusions });
}

/** The same as a plan keeps it. */
export async function accessOf(
  question: MembersQuestion,
  { before, after: fresh, gains, loses, keeps, both, others, unknown }: MembershipImpact,
  owner: () => Promise<string | null>,
  names: PersonNames,
): Promise<StepImpact> {
  const { address, key } = question.step;
  const ends = isWithoutRule(question.after);
  // Only where someone may lose it, it matters who asks.
  const self = loses.high !== 0 && loses.people.length > 0 ? await owner() : null;
  const locksOut = self !== null && loses.people.includes(self);
  const counts = counted({ gains, loses, keeps, others }, names);
  const matched = counted({ before, after: fresh, both }, null);
  // A reader asks for those whom a rule matches only where the rule stays as it is.
  const now = isUnchanged(question) ? counted({ after: fresh }, names) : {};
  return { address, key, as: "members", ends, locksOut, unknown, ...matched, ...now, ...counts };
}

/** Asks once whose credentials these are. */
export function ownerOf(reads: PeopleReads): () => Promise<string | null> {
  let asked: Promise<string | null> | null = null;
  return () => {
    asked ??= reads.owner();
    return asked;
  };
}

// Exclusions belong to an automation, so one that does not exist yet has none.
const NONE_EXCLUDED: Known = { people: new Map(), isComplete: true, count: 0 };

/** The members as far as they matter: by person or by grant, whichever needs fewer calls. */
async function membersOf(
  entitlement: EntitlementRef,
  undecided: readonly string[],
  grants: number | null,
  reads: PeopleReads,
): Promise<Known> {
  const unknown = { ...NOT_KNOWN, count: grants };
  if (undecided.length === 0) return unknown;
  const byGrant = grants === null ? Number.POSITIVE_INFINITY : costOf(grants);
  if (!(await reads.allows(Math.min(byGrant, undecided.length)))) return unknown;
  if (byGrant > undecided.length) {
    return { people: await reads.whoHold(entitlement, undecided), isComplete: false, count: grants };
  }
  const holders = await reads.holders(entitlement);
  if (holders === null) return unknown;
  return { people: holders, isComplete: true, count: holders.size };
}

async function exclusionsOf(entitlement: EntitlementRef, reads: PeopleReads): Promise<Known> {
  const excluded = await reads.excluded(entitlement);
  if (excluded === null) return NOT_KNOWN;
  return { people: new Map([...excluded].map((id) => [id, true])), isComplete: true, count: excluded.size };
}

/** Counts as a plan keeps them. */
export function counted<Name extends string>(
  counts: Readonly<Record<Name, Parameters<typeof peopleCount>[0]>>,
  names: PersonNames,
) {
  const entries = Object.entries(counts) as [Name, Parameters<typeof peopleCount>[0]][];
  return Object.fromEntries(entries.map(([name, count]) => [name, peopleCount(count, names)])) as Record<
    Name,
    ReturnType<typeof peopleCount>
  >;
}

/** How many calls it takes to list the holders of that many grants. */
export function costOf(grants: number): number {
  return Math.max(1, Math.ceil(grants / HOLDERS_PER_CALL));
}
