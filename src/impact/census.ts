import { type Holders, refName } from "../kinds/people.js";
import { groupBy } from "../model/groupBy.js";
import type { Account } from "./account.js";
import type { Person } from "./person.js";
import { NotRead } from "./rule/fault.js";

/** A group as rules find it by its name. */
export interface GroupFound {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
}

/** What this run read about people, for rules that ask about others than their subject. What is missing was not read. */
export interface Census {
  readonly people: readonly Person[];
  /** Whether these are all the people of the tenant. */
  readonly areAll: boolean;
  /** Accounts by app, for the apps whose accounts were read completely. */
  readonly accounts: ReadonlyMap<string, readonly Account[]>;
  /** Who holds an entitlement, by `refName`, for those that were read completely. */
  readonly members: ReadonlyMap<string, Holders>;
  /**
   * Entitlements whose rules this plan changes, by `refName`: `members` shows who holds them after it as far as that is
   * known, and not at all where it is not.
   */
  readonly changing?: ReadonlySet<string>;
  /** Groups by name; null where the tenant has none of that name. */
  readonly groups: ReadonlyMap<string, GroupFound | null>;
}

/** The questions that rules ask. Each throws `NotRead` where the census cannot answer. */
export interface Answers {
  byId(id: string): Person;
  byEmail(email: string): Person;
  byName(name: string): Person;
  managers(person: Person): readonly Person[];
  reports(of: readonly Person[]): readonly Person[];
  account(person: Person, appId: string): Account | undefined;
  holds(person: Person, appId: string, entitlementId: string): boolean;
  members(appId: string, entitlementId: string): readonly Person[];
  group(name: string): GroupFound;
}

/** The answers that one census can give. */
export function answersFrom(census: Census): Answers {
  const ids = new Map(census.people.map((person) => [person.id, person]));
  const emails = new Map(census.people.map((person) => [person.email, person]));
  const spellings = countOf(census.people.flatMap(spellingsOf));
  const accounts = new Map([...census.accounts].map(([app, all]) => [app, byOwner(all)]));

  // Who is meant is personal data, so a reason does not say it.
  function found(person: Person | undefined): Person {
    if (person !== undefined) return person;
    if (census.areAll) throw new Error("no such user is in the directory");
    throw new NotRead("another user");
  }

  function isChanging(appId: string, id: string): boolean {
    return census.changing?.has(refName({ appId, id })) === true;
  }

  function holders(appId: string, entitlementId: string): Holders {
    const held = census.members.get(refName({ appId, id: entitlementId }));
    if (held !== undefined) return held;
    const why = isChanging(appId, entitlementId) ? { why: CHANGES } : {};
    throw new NotRead(WHO_HOLDS, { named: entitlementId, ...why });
  }

  function holds(id: string, appId: string, entitlementId: string): boolean {
    const held = holders(appId, entitlementId).get(id);
    if (held === null && isChanging(appId, entitlementId))
      throw new NotRead(WHO_HOLDS, { named: entitlementId, why: CHANGES });
    if (held === null) throw new NotRead("whether an ended grant was the last");
    return held === true;
  }

  function accountOf(person: Person, appId: string): Account | undefined {
    const owners = accounts.get(appId);
    if (owners === undefined) throw new NotRead("the accounts of the app", { named: appId });
    const [first, ...others] = owners.get(person.id) ?? [];
    if (others.some(({ status }) => status.status !== first?.status.status))
      throw new NotRead("which of several accounts counts");
    return first;
  }

  return {
    byId: (id) => found(ids.get(id)),
    byEmail(email) {
      const person = emails.get(email);
      // Whether another address of a user finds them, and another spelling, is not documented.
      if ((spellings.get(email.toLowerCase()) ?? 0) > (person === undefined ? 0 : 1))
        throw new NotRead("the one user of an address");
      return found(person);
    },
    byName(name) {
      // The documents contradict each other on a name that several people have, or none.
      const [first, ...others] = census.people.filter((person) => person.displayName === name);
      if (first === undefined || others.length > 0 || !census.areAll)
        throw new NotRead("the one user of a name");
      return first;
    },
    managers: (person) => person.managerIds.map((id) => found(ids.get(id))),
    reports(of) {
      if (!census.areAll) throw new NotRead("all direct reports");
      const leaders = new Set(of.map(({ id }) => id));
      return census.people.filter((person) => person.managerIds.some((id) => leaders.has(id)));
    },
    account: accountOf,
    holds: ({ id }, appId, entitlementId) => holds(id, appId, entitlementId),
    members: (appId, entitlementId) =>
      [...holders(appId, entitlementId).keys()]
        .filter((id) => holds(id, appId, entitlementId))
        .map((id) => found(ids.get(id))),
    group(name) {
      const group = census.groups.get(name);
      if (group === undefined) throw new NotRead("the group", { named: name });
      if (group === null) throw new Error(`the tenant has no group ${name}`);
      return group;
    },
  };
}

const WHO_HOLDS = "who holds the entitlement";

const CHANGES = "which this plan changes";

/** The addresses of a person as anyone may write them. */
function spellingsOf({ email, emails }: Person): readonly string[] {
  return [...new Set([email, ...emails].map((one) => one.toLowerCase()))];
}

function countOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function byOwner(accounts: readonly Account[]): ReadonlyMap<string, readonly Account[]> {
  const owned = accounts.filter(({ personId }) => personId !== "");
  return groupBy(owned, ({ personId }) => personId);
}

/**
 * Runs some work and ends it after the given milliseconds, even inside a regular expression; null when it was ended.
 * Rules come from a repository and from a tenant, so one of them may be written to run for hours.
 */
export type Evaluate = <T>(
  work: () => T,
  milliseconds: number,
) => { readonly value: T; readonly milliseconds: number } | null;
