import { isWithoutRule } from "../impact/automation.js";
import { type Known, type MembershipImpact, type MembershipTally, NOT_KNOWN } from "../impact/membership.js";
import type { Person } from "../impact/person.js";
import { type EntitlementRef, HOLDERS_PER_CALL, refName } from "../kinds/people.js";
import type { JsonObject } from "../model/json.js";
import { type NamedPerson, peopleCount, type StepImpact } from "../plan/people/impact.js";
import { isUnchanged, type MembersQuestion, type PeopleQuestion } from "../plan/people/question.js";
import { callsForRefs } from "../tenant/people.js";
import type { ListRead, PeopleReads, PeopleWork } from "../tenant/peopleReads.js";

/** The names of people by id; null where names were not asked for. */
export type PersonNames = ((id: string) => NamedPerson) | null;

/** What is known of those who hold an entitlement, and of those whom its automation leaves out. */
interface Standing {
  readonly members: Shown;
  readonly exclusions: Known;
}

/** What a list shows, and what is known for certain: nothing where it moved while it was read. */
interface Shown {
  readonly now: Known;
  readonly certain: Promise<Known>;
}

/** What was read of rules before it was known whether it matters. */
interface EarlyStandings {
  readonly members: ReadonlyMap<MembersQuestion, Shown>;
  readonly exclusions: ReadonlyMap<MembersQuestion, Known>;
}

/** Nothing was read ahead. */
export const NOTHING_AHEAD: EarlyStandings = { members: new Map(), exclusions: new Map() };

/** So many edited rules are few. */
export const FEW_RULES = 10;
/** So many calls for each edited rule may be made before it is known that they matter: waiting for that takes longer. */
const CALLS_AHEAD = { few: 15, many: 7 };

/** The most calls that `standingsAhead` makes. */
export function callsAhead(asked: readonly PeopleQuestion[]): number {
  const edited = asked.filter(isEdited).length;
  return edited * (edited <= FEW_RULES ? CALLS_AHEAD.few : CALLS_AHEAD.many);
}

/** Reads who holds and who is left out while the users are read: an edit of a rule nearly always concerns someone. */
export async function standingsAhead(
  asked: readonly PeopleQuestion[],
  holding: Promise<ReadonlyMap<string, number>>,
  reads: PeopleReads,
): Promise<EarlyStandings> {
  const edited = asked.filter(isEdited);
  const standing = edited.filter(({ exclusions }) => exclusions === "listed");
  const [exclusions, members] = await reads.sideBySide([
    {
      calls: standing.length,
      run: (own) => eachKnown(standing, own, () => 1, exclusionsOf),
    },
    {
      calls: "rest",
      async run(own) {
        const held = await holding;
        let left = callsAhead(edited) - standing.length;
        const grantsOf = (entitlement: EntitlementRef) => held.get(refName(entitlement)) ?? null;
        const callsFor = ({ entitlement }: MembersQuestion) =>
          costOf(grantsOf(entitlement) ?? Number.POSITIVE_INFINITY);
        const affordable = edited.filter((question) => {
          const calls = callsFor(question);
          if (calls <= left) left -= calls;
          else return false;
          return true;
        });
        return eachKnown(affordable, own, callsFor, (entitlement, reads) =>
          holdersOf(entitlement, grantsOf(entitlement), reads),
        );
      },
    },
  ]);
  return { members, exclusions };
}

function isEdited(question: PeopleQuestion): question is MembersQuestion {
  return question.as === "members" && !isUnchanged(question);
}

/** What a read says of the entitlement of each question, where it says something. */
async function eachKnown<T>(
  questions: readonly MembersQuestion[],
  reads: PeopleReads,
  calls: (question: MembersQuestion) => number,
  read: (entitlement: EntitlementRef, reads: PeopleReads) => Promise<T | null>,
): Promise<ReadonlyMap<MembersQuestion, T>> {
  const found = await reads.sideBySide(
    questions.map((question) => ({
      calls: calls(question),
      run: (own: PeopleReads) => read(question.entitlement, own),
    })),
  );
  return new Map(
    questions.flatMap((question, at) => {
      const known = found[at] ?? null;
      return known === null ? [] : [[question, known] as const];
    }),
  );
}

/** Reads who holds and who is left out, for each rule about which some people are undecided: side by side. */
export async function standingsOf(
  asked: readonly { readonly question: MembersQuestion; readonly tally: MembershipTally }[],
  held: ReadonlyMap<string, number>,
  ahead: EarlyStandings,
  reads: PeopleReads,
): Promise<readonly Standing[]> {
  const works = asked.map(({ question, tally }): PeopleWork<Standing> => {
    const { entitlement } = question;
    const undecided = tally.undecided();
    const grants = held.get(refName(entitlement)) ?? null;
    if (undecided.length === 0) {
      const members = shown({ ...NOT_KNOWN, count: grants });
      return { calls: 0, run: async () => ({ members, exclusions: NONE_EXCLUDED }) };
    }
    const calls = Math.min(undecided.length, grants === null ? undecided.length : costOf(grants));
    const members = ahead.members.get(question);
    const excluded = {
      none: NONE_EXCLUDED,
      listed: ahead.exclusions.get(question),
      "not shown": NOT_KNOWN,
    }[question.exclusions];
    const [asksMembers, asksExclusions] = [
      members === undefined
        ? { calls, run: (own: PeopleReads) => membersOf(entitlement, undecided, grants, own) }
        : told(members),
      excluded === undefined
        ? { calls: 1, run: async (own: PeopleReads) => (await exclusionsOf(entitlement, own)) ?? NOT_KNOWN }
        : told(excluded),
    ];
    return {
      calls: asksMembers.calls + asksExclusions.calls,
      async run(own) {
        const [members, exclusions] = await own.sideBySide([asksMembers, asksExclusions]);
        return { members, exclusions };
      },
    };
  });
  return reads.sideBySide(works);
}

function told<T>(known: T): { readonly calls: 0; readonly run: () => Promise<T> } {
  return { calls: 0, run: async () => known };
}

/** What is known, whatever else is read. */
function shown(known: Known): Shown {
  return { now: known, certain: Promise.resolve(known) };
}

/** A rule whose people were read, and what is known of those who have its entitlement. */
interface Judged {
  readonly tally: MembershipTally;
  readonly standing: Standing;
}

/** Who gains and loses each entitlement: the rules' people, with the members and exclusions that matter. */
export async function membershipsOf(
  judged: readonly Judged[],
  {
    users,
    isNarrowed,
    isFirst,
  }: {
    readonly users: ListRead;
    readonly isNarrowed: boolean;
    /** Whether they ask for nothing that other changed rules give: these were not asked about people who come late. */
    readonly isFirst: boolean;
  },
  reads: PeopleReads,
  meet: (rows: readonly JsonObject[]) => readonly Person[],
): Promise<readonly MembershipImpact[]> {
  // Members whom the list of users left out: by its filter, or because it changed while it was read.
  const strangersOf = ({ tally, standing: { members } }: Judged) =>
    users.isEnded && isFirst ? tally.strangers(members.now) : [];
  const wanted = new Set<string>();
  const unasked = new Set<Judged>();
  for (const one of judged) {
    const strangers = strangersOf(one);
    const all = new Set([...wanted, ...strangers]);
    if (strangers.length === 0) continue;
    if (await reads.allows(callsForRefs([...all]))) for (const id of strangers) wanted.add(id);
    else unasked.add(one);
  }
  const met = wanted.size === 0 ? [] : meet(await reads.usersOf([...wanted]));
  const areAll = await users.isSteady;
  return Promise.all(
    judged.map(async (one) => {
      const { exclusions } = one.standing;
      const members = await one.standing.members.certain;
      const own = new Set(areAll && members.isComplete && !unasked.has(one) ? strangersOf(one) : []);
      if (own.size > 0) one.tally.add(met.filter(({ id }) => own.has(id)));
      return one.tally.impact({
        areAll,
        areSomeLeftOut: isNarrowed && unasked.has(one),
        members,
        exclusions,
      });
    }),
  );
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
export function ownerOf(): (reads: Pick<PeopleReads, "owner">) => Promise<string | null> {
  let asked: Promise<string | null> | null = null;
  return (reads) => {
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
): Promise<Shown> {
  const unknown = { ...NOT_KNOWN, count: grants };
  const byGrant = grants === null ? Number.POSITIVE_INFINITY : costOf(grants);
  if (!(await reads.allows(Math.min(byGrant, undecided.length)))) return shown(unknown);
  if (byGrant > undecided.length) {
    return shown({ people: await reads.whoHold(entitlement, undecided), isComplete: false, count: grants });
  }
  return (await holdersOf(entitlement, grants, reads)) ?? shown(unknown);
}

async function holdersOf(
  entitlement: EntitlementRef,
  grants: number | null,
  reads: PeopleReads,
): Promise<Shown | null> {
  const found = await reads.holdersShown(entitlement);
  if (found === null) return null;
  const now: Known = { people: found.holders, isComplete: true, count: found.holders.size };
  const certain = found.isSteady.then((isSteady) => (isSteady ? now : { ...NOT_KNOWN, count: grants }));
  return { now, certain };
}

async function exclusionsOf(entitlement: EntitlementRef, reads: PeopleReads): Promise<Known | null> {
  const excluded = await reads.excluded(entitlement);
  if (excluded === null) return null;
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

/** How many calls it takes to list the holders of that many grants: all pages but the last are read twice. */
export function costOf(grants: number): number {
  return 2 * Math.max(1, Math.ceil(grants / HOLDERS_PER_CALL)) - 1;
}
