import { callsForUsers, type PeopleReads } from "../../current/people.js";
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
import type { PeopleQuestion } from "../../plan/people/question.js";

/** A step that changes a rule: what to ask about it. */
export type MembersQuestion = Extract<PeopleQuestion, { as: "members" }>;

/** The names of people by id; null where names were not asked for. */
export type PersonNames = ((id: string) => NamedPerson) | null;

/** Who gains and loses an entitlement: the rules' people, with the members and exclusions that matter. */
export async function membershipOf(
  { entitlement, isNew }: MembersQuestion,
  tally: MembershipTally,
  {
    areAll,
    isNarrowed,
    isFirst,
  }: Pick<Facts, "areAll"> & {
    readonly isNarrowed: boolean;
    /** Whether it asks for nothing that other changed rules give: these were not asked about people who come late. */
    readonly isFirst: boolean;
  },
  held: ReadonlyMap<string, number>,
  reads: PeopleReads,
  meet: (rows: readonly JsonObject[]) => readonly Person[],
): Promise<MembershipImpact> {
  const undecided = tally.undecided();
  const members = await membersOf(entitlement, undecided, held, reads);
  const strangers = areAll && isFirst ? tally.strangers(members) : [];
  const canAsk = callsForUsers(strangers) <= reads.left();
  // Members whom the list of users left out: by its filter, or because it changed while it was read.
  if (strangers.length > 0 && canAsk) tally.add(meet(await reads.usersOf(strangers)));
  const exclusions = isNew || undecided.length === 0 ? NONE_EXCLUDED : await exclusionsOf(entitlement, reads);
  return tally.impact({ areAll, areSomeLeftOut: isNarrowed && !canAsk, members, exclusions });
}

/** The same as a plan keeps it. */
export async function accessOf(
  { step, after }: MembersQuestion,
  { before, after: fresh, gains, loses, keeps, both, others, unknown }: MembershipImpact,
  owner: () => Promise<string | null>,
  names: PersonNames,
): Promise<StepImpact> {
  const { address, key } = step;
  const ends = isWithoutRule(after);
  // Only where someone may lose it, it matters who asks.
  const self = loses.high !== 0 && loses.people.length > 0 ? await owner() : null;
  const locksOut = self !== null && loses.people.includes(self);
  const counts = counted({ gains, loses, keeps, others }, names);
  const matched = counted({ before, after: fresh, both }, null);
  return { address, key, as: "members", ends, locksOut, unknown, ...matched, ...counts };
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
  held: ReadonlyMap<string, number>,
  reads: PeopleReads,
): Promise<Known> {
  const grants = held.get(refName(entitlement)) ?? null;
  const unknown = { ...NOT_KNOWN, count: grants };
  if (undecided.length === 0) return unknown;
  const byGrant = grants === null ? Number.POSITIVE_INFINITY : costOf(grants);
  if (Math.min(byGrant, undecided.length) > reads.left()) return unknown;
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
