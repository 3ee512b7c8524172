import { nowInConflict } from "../impact/conflict.js";
import { peopleOf } from "../impact/person.js";
import { allNeeds } from "../impact/rule/needs.js";
import type { ConflictGroups } from "../kinds/kind.js";
import { type EntitlementRef, refName } from "../kinds/people.js";
import type { Address } from "../model/address.js";
import { type Counting, type HeldRef, type PeopleCount, peopleCount } from "../plan/people/impact.js";
import { callsForRefs, readPeople } from "../tenant/people.js";
import type { Tenant } from "../tenant/tenant.js";
import { type DescribedConflict, factsOf, refsIn } from "./conflicts.js";
import { factsFor } from "./ruleFacts.js";

/** Who holds both sides of a conflict now, or its group A without its group B. */
export interface InConflict extends Pick<ConflictGroups, "isNegated"> {
  readonly address: Address;
  readonly now: PeopleCount;
  /** What is in its groups, each with its number of grants. */
  readonly groupA: readonly HeldRef[];
  readonly groupB: readonly HeldRef[];
  /** What is in its groups and whose holders were not read. */
  readonly unread: readonly HeldRef[];
}

/** Reads who holds both sides of a conflict, within a budget. */
export async function inConflict(
  conflict: DescribedConflict,
  tenant: Tenant,
  counting: Counting,
  progress: (done: number, total: number) => void,
): Promise<InConflict> {
  const reads = readPeople(tenant.reader(progress), counting.calls);
  const refs = refsIn(conflict);
  const held = await reads.held(refs);
  const { members } = await factsFor({ ...allNeeds([]), members: refs }, held, reads);
  const facts = factsOf(conflict, [], { members, moved: new Map(), holders: [] });
  const count = nowInConflict(facts);
  const isAsked = counting.names && (await reads.allows(callsForRefs(count.people)));
  const users = isAsked ? peopleOf(await reads.usersOf(count.people)) : [];
  const named = new Map(users.map(({ id, displayName, email }) => [id, { id, name: displayName, email }]));
  const nameOf = (id: string) => named.get(id) ?? { id, name: "", email: "" };
  const shown = (ref: EntitlementRef): HeldRef => ({
    ...ref,
    name: reads.nameOf(ref),
    grants: held.get(refName(ref)) ?? null,
  });
  const isUnread = (_: EntitlementRef, at: number) => facts.parts[at]?.holders === null;
  return {
    address: conflict.address,
    isNegated: conflict.isNegated,
    now: peopleCount(count, counting.names ? nameOf : null),
    groupA: conflict.groupA.map(shown),
    groupB: conflict.groupB.map(shown),
    unread: refs.filter(isUnread).map(shown),
  };
}
