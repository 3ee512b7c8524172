import { type Campaign, campaignIn } from "../kinds/campaign.js";
import { resourceIn, searchEntitlementsOf, searchResources } from "../kinds/holdings.js";
import {
  accountIn,
  type EntitlementRef,
  entitlementIn,
  excludedIn,
  grantName,
  grantsOfUser,
  type Held,
  type Holders,
  heldIn,
  holderIn,
  holdsIn,
  introspection,
  isNamed,
  listAccounts,
  listExclusions,
  listHolders,
  ownerIn,
  type RowShows,
  refName,
  searchAccounts,
  searchHeld,
  searchNamed,
  searchUser,
  searchUsers,
  searchUsersOf,
  type TypeRef,
  userIn,
} from "../kinds/people.js";
import { textOf } from "../kinds/spelling.js";
import { listCampaigns } from "../kinds/template.js";
import type { Call } from "../model/call.js";
import { canonical, isObject, type Json, type JsonObject } from "../model/json.js";
import type { Reader } from "./remote.js";

/** Reads about people, within a number of calls. What fails, or would cost more than is left, is unknown. */
export interface PeopleReads {
  /** How many calls may still be made. */
  readonly left: () => number;
  /**
   * Gives the users, or only those with some values, page by page, each user once; true once all of them were given. A
   * row that shows no user remit can read may be anyone, so not all were given then.
   */
  users(where: UserFilter | null, take: (rows: readonly JsonObject[]) => void): Promise<boolean>;
  /** The users of an id or an e-mail address, as the service's own search finds them; none where it could not be asked. */
  user(asked: string): Promise<readonly JsonObject[]>;
  /** The users of some ids, as far as the service shows them and calls are left. */
  usersOf(ids: readonly string[]): Promise<readonly JsonObject[]>;
  /** How many grants each entitlement has, by app and id. */
  held(refs: readonly EntitlementRef[]): Promise<ReadonlyMap<string, number>>;
  /** The display name of an entitlement that was looked up so; null for any other. */
  nameOf(ref: EntitlementRef): string | null;
  /** The entitlements of that display name, in any app; null where they could not be read to the end. */
  entitlementsNamed(name: string): Promise<readonly Held[] | null>;
  /** Everyone who holds an entitlement; null where the list could not be read to its end. */
  holders(ref: EntitlementRef): Promise<Holders | null>;
  /** Whether each of some users holds an entitlement, asked one by one. */
  whoHold(ref: EntitlementRef, users: readonly string[]): Promise<ReadonlyMap<string, boolean>>;
  /** Everyone whom an automation leaves out; null where that could not be read. */
  excluded(ref: EntitlementRef): Promise<ReadonlySet<string> | null>;
  /** The user of the credentials; null where the service does not say. Nothing is said of a failure. */
  owner(): Promise<string | null>;
  accounts(app: string): Promise<readonly JsonObject[] | null>;
  /** How many accounts of some apps fit the account criteria of a scope; null where the service cannot say. */
  fitting(criteria: JsonObject, apps: readonly string[]): Promise<Extent | null>;
  /** The campaigns that have a template; null where they could not be read to the end. */
  campaigns(): Promise<readonly Campaign[] | null>;
  /** How many resources of a type exist. */
  resources(type: TypeRef): Promise<Extent | null>;
  /** The entitlements of a type's resources, each with its number of grants. */
  heldUnder(type: TypeRef): Promise<{ readonly grants: readonly number[]; readonly isAll: boolean } | null>;
}

/** Values by field of a user: one of each is asked for. */
export type UserFilter = Readonly<Record<string, readonly string[]>>;

/** How many of something were read, and whether those are all. */
export interface Extent {
  readonly low: number;
  readonly isAll: boolean;
}

// The search answers at most a hundred rows a page.
const REFS_A_CALL = 100;

/** How many calls it takes to read the users of some ids. */
export function callsForUsers(ids: readonly string[]): number {
  return Math.ceil(ids.length / REFS_A_CALL);
}

/** Reads about people with one reader, and counts the calls against a budget. */
export function readPeople(reader: Reader, budget: number): PeopleReads {
  let left = budget;
  const names = new Map<string, string>();

  /**
   * Reads a list to its end, or to the end of the budget: true for its end. A row that comes twice may stand in the place of
   * another, so the list was not read to its end then.
   */
  async function pages(
    purpose: string,
    call: Call,
    take: (page: readonly Json[]) => void,
    nameOf: (row: Json) => string = canonical,
  ): Promise<boolean> {
    if (left <= 0) return false;
    const taken = new Set<string>();
    let isSound = true;
    const count = (page: readonly Json[]) => {
      left -= 1;
      for (const row of page) {
        const name = nameOf(row);
        if (taken.has(name)) isSound = false;
        taken.add(name);
      }
      take(page);
    };
    const end = await reader.pages(purpose, call, count, () => left > 0);
    if (end === "failed") left -= 1;
    if (!isSound) reader.doubt(purpose, call);
    return end === "ended" && isSound;
  }

  async function rows(
    purpose: string,
    call: Call,
    nameOf?: (row: Json) => string,
  ): Promise<readonly Json[] | null> {
    const found: Json[] = [];
    return (await pages(purpose, call, (page) => found.push(...page), nameOf)) ? found : null;
  }

  /**
   * Gives what the rows of a list show, each once: a list that changes while it is read may show something twice. True
   * once all was given, and each row showed something.
   */
  async function distinct(
    purpose: string,
    call: Call,
    shown: (row: Json) => RowShows,
    take: (some: readonly JsonObject[]) => void,
  ): Promise<boolean> {
    const given = new Set<string>();
    let isReadable = true;
    const nameOf = (row: Json) => {
      const one = shown(row);
      return isObject(one) ? shownName(one) : canonical(row);
    };
    const read = (page: readonly Json[]) => {
      const found = page.map(shown);
      if (found.includes("unreadable")) isReadable = false;
      const live = found.filter((one) => isObject(one));
      take(live.filter((one) => !given.has(shownName(one)) && given.add(shownName(one))));
    };
    const isRead = await pages(purpose, call, read, nameOf);
    return isRead && isReadable;
  }

  async function extentOf(
    purpose: string,
    call: Call,
    shown: (row: Json) => RowShows,
  ): Promise<Extent | null> {
    let low = 0;
    const isAll = await distinct(purpose, call, shown, (some) => {
      low += some.length;
    });
    return isAll || low > 0 ? { low, isAll } : null;
  }

  return {
    left: () => left,
    users: (where, take) => distinct("users", searchUsers(where), userIn, take),
    async user(asked) {
      const found: Json[] = [];
      await pages("users", searchUser(asked), (page) => found.push(...page));
      return found.map(userIn).filter((user) => isObject(user));
    },
    async usersOf(ids) {
      const found: Json[] = [];
      for (let at = 0; at < ids.length; at += REFS_A_CALL) {
        found.push(...((await rows("users", searchUsersOf(ids.slice(at, at + REFS_A_CALL)))) ?? []));
      }
      return found.map(userIn).filter((user) => isObject(user));
    },
    async held(refs) {
      const found = new Map<string, number>();
      const wanted = [...new Map(refs.map((ref) => [refName(ref), ref])).values()];
      for (let at = 0; at < wanted.length; at += REFS_A_CALL) {
        const page = await rows("grants", searchHeld(wanted.slice(at, at + REFS_A_CALL)));
        for (const row of page ?? []) {
          const one = heldIn(row);
          if (one === undefined) continue;
          found.set(refName(one), one.grants);
          if (one.name !== "") names.set(refName(one), one.name);
        }
      }
      return found;
    },
    nameOf: (ref) => names.get(refName(ref)) ?? null,
    async entitlementsNamed(name) {
      const found = await rows("groups", searchNamed(name));
      return found?.flatMap((row) => (isNamed(row, name) ? (heldIn(row) ?? []) : [])) ?? null;
    },
    async holders(ref) {
      const found = (await rows("grants", listHolders(ref), grantName))?.map(holderIn);
      if (found === undefined || found.includes("unreadable")) return null;
      const holders = found.filter((one) => typeof one === "object");
      const ended = holders.filter(({ isOver }) => isOver).map(({ id }) => [id, null] as const);
      const held = holders.filter(({ isOver }) => !isOver).map(({ id }) => [id, true] as const);
      return new Map<string, true | null>([...ended, ...held]);
    },
    async whoHold(ref, users) {
      const asked = await Promise.all(
        users.map(async (user): Promise<readonly [string, boolean] | null> => {
          if (left <= 0) return null;
          left -= 1;
          const fetched = await reader.one("grants", grantsOfUser(ref, user), "optional");
          return fetched.as === "got" ? [user, holdsIn(fetched.value, ref)] : null;
        }),
      );
      return new Map(asked.filter((one) => one !== null));
    },
    async excluded(ref) {
      const found = await rows("exclusions", listExclusions(ref), (row) => excludedIn(row) ?? canonical(row));
      const excluded = found?.map(excludedIn) ?? [null];
      return excluded.includes(null) ? null : new Set(excluded.filter((id) => id !== null));
    },
    async owner() {
      if (left <= 0) return null;
      left -= 1;
      const fetched = await reader.one("credentials", introspection(), "sparing");
      return fetched.as === "got" ? (ownerIn(fetched.value) ?? null) : null;
    },
    async accounts(app) {
      const found: JsonObject[] = [];
      const isAll = await distinct("accounts", listAccounts(app), accountIn, (some) => found.push(...some));
      return isAll ? found : null;
    },
    async fitting(criteria, apps) {
      const call = searchAccounts(criteria, apps);
      return call === null ? null : extentOf("accounts", call, accountIn);
    },
    async campaigns() {
      const found = await rows("campaigns", listCampaigns());
      return found?.map(campaignIn).filter((campaign) => campaign !== undefined) ?? null;
    },
    resources: (type) => extentOf("resources", searchResources(type), resourceIn),
    async heldUnder(type) {
      const grants: number[] = [];
      let isCounted = true;
      const isAll = await distinct("grants", searchEntitlementsOf(type), entitlementIn, (some) => {
        for (const appEntitlement of some) {
          const held = heldIn({ appEntitlement });
          if (held === undefined) isCounted = false;
          else grants.push(held.grants);
        }
      });
      return isAll || grants.length > 0 ? { grants, isAll: isAll && isCounted } : null;
    },
  };
}

/** The name of something that a list shows: two apps may use one id. */
function shownName(shown: JsonObject): string {
  return refName({ appId: textOf(shown, "appId"), id: textOf(shown, "id") });
}
