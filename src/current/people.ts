import { campaignIn } from "../kinds/campaign.js";
import { resourceIn, searchEntitlementsOf, searchResources } from "../kinds/holdings.js";
import {
  accountIn,
  type EntitlementRef,
  entitlementIn,
  excludedIn,
  grantName,
  grantsOfUser,
  type Held,
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
  userIn,
} from "../kinds/people.js";
import { textOf } from "../kinds/spelling.js";
import { listCampaigns } from "../kinds/template.js";
import type { Call } from "../model/call.js";
import { canonical, isObject, type Json, type JsonObject } from "../model/json.js";
import { pendingIn } from "../model/pending.js";
import { type Budget, makeBudget } from "./budget.js";
import type { Extent, PeopleReads, PeopleWork } from "./peopleReads.js";
import type { Doubt, Reader } from "./remote.js";

const NONE: Extent = { low: 0, isAll: true };

// The search answers at most a hundred rows a page.
const REFS_A_CALL = 100;

/** Whether an entitlement may be in the tenant: one that the plan creates is not there yet. */
function isThere({ appId, id }: EntitlementRef): boolean {
  return appId !== "" && pendingIn([id]).length === 0;
}

/** How many calls it takes to read something about entitlements or users that are named. */
export function callsForRefs(refs: readonly unknown[]): number {
  return Math.ceil(refs.length / REFS_A_CALL);
}

/** Reads about people with one reader, and counts the calls against a budget. */
export function readPeople(reader: Reader, calls: number): PeopleReads {
  return within(makeBudget(calls), { reader, names: new Map(), firsts: new Map() });
}

/** What all reads of a run share. */
interface Shared {
  readonly reader: Reader;
  /** Display names of entitlements, by `refName`. */
  readonly names: Map<string, string>;
  /** The first read of each kind: whether the service allows it, once it answered. The others of its kind wait for that. */
  readonly firsts: Map<ReadKind, Promise<boolean>>;
}

/** Reads that the service allows or forbids together. */
type ReadKind =
  | "users"
  | "held"
  | "named"
  | "holders"
  | "holding"
  | "excluded"
  | "accounts"
  | "fitting"
  | "campaigns"
  | "resources"
  | "held under";

function isSame(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && [...some].every((one) => others.has(one));
}

function within(budget: Budget, shared: Shared): PeopleReads {
  const { reader, names, firsts } = shared;

  /** Takes the call for a read of a kind: gives how to tell whether it was allowed; null where it may not be sent. */
  async function begin(kind: ReadKind): Promise<((isAllowed: boolean) => void) | null> {
    if (!(await budget.take())) return null;
    const first = firsts.get(kind);
    if (first !== undefined) return (await first) ? () => undefined : null;
    return new Promise((begun) => {
      firsts.set(kind, new Promise((tell) => begun(tell)));
    });
  }

  /**
   * Reads a list to its end, or to the end of the budget: true for its end. A row that comes twice may stand in the place of
   * another. One that leaves the first page hides the first row of the next. In both cases, the list was not read to its end.
   */
  async function pages(
    kind: ReadKind,
    purpose: string,
    call: Call,
    take: (page: readonly Json[]) => void,
    nameOf: (row: Json) => string = canonical,
  ): Promise<boolean> {
    const tell = await begin(kind);
    if (tell === null) return false;
    const taken = new Set<string>();
    let read = 0;
    let first: ReadonlySet<string> = new Set();
    let doubt: Doubt | null = null;
    const count = (page: readonly Json[]) => {
      tell(true);
      const names = page.map(nameOf);
      read += 1;
      if (read === 1) first = new Set(names);
      for (const name of names) {
        if (taken.has(name)) doubt = "showed a row twice";
        taken.add(name);
      }
      take(page);
    };
    const end = await reader.pages(purpose, call, count, budget.take);
    tell(end !== "forbidden");
    if (doubt === null && end === "ended" && read > 1) {
      if (!(await budget.take())) return false;
      const again = await firstNames(purpose, call, nameOf);
      if (again === null) return false;
      if (!isSame(first, again)) doubt = "began with other rows when it was read again";
    }
    if (doubt !== null) reader.doubt(purpose, call, doubt);
    return end === "ended" && doubt === null;
  }

  /** What the rows of the first page of a list are called now; null where it cannot be read. */
  async function firstNames(
    purpose: string,
    call: Call,
    nameOf: (row: Json) => string,
  ): Promise<ReadonlySet<string> | null> {
    const names: (readonly string[])[] = [];
    const end = await reader.pages(
      purpose,
      call,
      (page) => names.push(page.map(nameOf)),
      () => false,
    );
    return end === "failed" || end === "forbidden" ? null : new Set(names[0]);
  }

  async function rows(
    kind: ReadKind,
    purpose: string,
    call: Call,
    nameOf?: (row: Json) => string,
  ): Promise<readonly Json[] | null> {
    const found: Json[] = [];
    return (await pages(kind, purpose, call, (page) => found.push(...page), nameOf)) ? found : null;
  }

  /**
   * Gives what the rows of a list show, each once: a list that changes while it is read may show something twice. True
   * once all was given, and each row showed something.
   */
  async function distinct(
    kind: ReadKind,
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
    const isRead = await pages(kind, purpose, call, read, nameOf);
    return isRead && isReadable;
  }

  async function extentOf(
    kind: ReadKind,
    purpose: string,
    call: Call,
    shown: (row: Json) => RowShows,
  ): Promise<Extent | null> {
    let low = 0;
    const isAll = await distinct(kind, purpose, call, shown, (some) => {
      low += some.length;
    });
    return isAll || low > 0 ? { low, isAll } : null;
  }

  /** The rows of searches for some of many things each, side by side; those that could not be read are left out. */
  async function byHundreds<T>(
    kind: ReadKind,
    purpose: string,
    wanted: readonly T[],
    search: (some: readonly T[]) => Call,
  ): Promise<readonly Json[]> {
    const parts = Array.from({ length: callsForRefs(wanted) }, (_, at) =>
      wanted.slice(at * REFS_A_CALL, (at + 1) * REFS_A_CALL),
    );
    const found = await Promise.all(parts.map((part) => rows(kind, purpose, search(part))));
    return found.flatMap((some) => some ?? []);
  }

  return {
    allows: budget.allows,
    sideBySide<T extends readonly unknown[] | []>(
      works: {
        readonly [At in keyof T]: PeopleWork<T[At]>;
      },
    ): Promise<T> {
      const own = (works as readonly PeopleWork<unknown>[]).map(({ calls, run }) => ({
        calls,
        run: (budget: Budget) => run(within(budget, shared)),
      }));
      return budget.sideBySide<unknown[]>(own) as Promise<T>;
    },
    users: (where, take) => distinct("users", "users", searchUsers(where), userIn, take),
    async user(asked) {
      const found: Json[] = [];
      await pages("users", "users", searchUser(asked), (page) => found.push(...page));
      return found.map(userIn).filter((user) => isObject(user));
    },
    async usersOf(ids) {
      const found = await byHundreds("users", "users", ids, searchUsersOf);
      return found.map(userIn).filter((user) => isObject(user));
    },
    async held(refs) {
      const wanted = [...new Map(refs.filter(isThere).map((ref) => [refName(ref), ref])).values()];
      const shown = (await byHundreds("held", "grants", wanted, searchHeld)).flatMap(
        (row) => heldIn(row) ?? [],
      );
      for (const one of shown) if (one.name !== "") names.set(refName(one), one.name);
      return new Map(shown.map((one) => [refName(one), one.grants]));
    },
    nameOf: (ref) => names.get(refName(ref)) ?? null,
    async entitlementsNamed(name) {
      const found = await rows("named", "groups", searchNamed(name));
      return found?.flatMap((row) => (isNamed(row, name) ? (heldIn(row) ?? []) : [])) ?? null;
    },
    async holders(ref) {
      if (!isThere(ref)) return new Map();
      const found = (await rows("holders", "grants", listHolders(ref), grantName))?.map(holderIn);
      if (found === undefined || found.includes("unreadable")) return null;
      const holders = found.filter((one) => typeof one === "object");
      const ended = holders.filter(({ isOver }) => isOver).map(({ id }) => [id, null] as const);
      const held = holders.filter(({ isOver }) => !isOver).map(({ id }) => [id, true] as const);
      return new Map<string, true | null>([...ended, ...held]);
    },
    async whoHold(ref, users) {
      if (!isThere(ref)) return new Map(users.map((user) => [user, false]));
      const asked = await Promise.all(
        users.map(async (user): Promise<readonly [string, boolean] | null> => {
          const tell = await begin("holding");
          if (tell === null) return null;
          const fetched = await reader.one("grants", grantsOfUser(ref, user), "optional");
          tell(!(fetched.as === "failed" && fetched.trouble === "forbidden"));
          return fetched.as === "got" ? [user, holdsIn(fetched.value, ref)] : null;
        }),
      );
      return new Map(asked.filter((one) => one !== null));
    },
    async excluded(ref) {
      if (!isThere(ref)) return new Set();
      const found = await rows(
        "excluded",
        "exclusions",
        listExclusions(ref),
        (row) => excludedIn(row) ?? canonical(row),
      );
      const excluded = found?.map(excludedIn) ?? [null];
      return excluded.includes(null) ? null : new Set(excluded.filter((id) => id !== null));
    },
    async owner() {
      if (!(await budget.take())) return null;
      const fetched = await reader.one("credentials", introspection(), "sparing");
      return fetched.as === "got" ? (ownerIn(fetched.value) ?? null) : null;
    },
    async object(call) {
      if (!(await budget.take())) return undefined;
      const fetched = await reader.one("rules", call, "optional");
      return fetched.as === "got" ? fetched.value : fetched.as === "absent" ? null : undefined;
    },
    async accounts(app) {
      const found: JsonObject[] = [];
      const isAll = await distinct("accounts", "accounts", listAccounts(app), accountIn, (some) =>
        found.push(...some),
      );
      return isAll ? found : null;
    },
    async fitting(criteria, apps) {
      const call = searchAccounts(criteria, apps);
      return call === null ? null : extentOf("fitting", "accounts", call, accountIn);
    },
    async campaigns() {
      const found = await rows("campaigns", "campaigns", listCampaigns());
      return found?.map(campaignIn).filter((campaign) => campaign !== undefined) ?? null;
    },
    async resources(of) {
      const call = searchResources(of);
      return call === null ? NONE : extentOf("resources", "resources", call, resourceIn);
    },
    async heldUnder(of) {
      const held: Held[] = [];
      let seen = 0;
      const call = searchEntitlementsOf(of);
      const isAll = await distinct("held under", "grants", call, entitlementIn, (some) => {
        seen += some.length;
        held.push(...some.flatMap((appEntitlement) => heldIn({ appEntitlement }) ?? []));
      });
      return isAll || held.length > 0 ? { held, isAll: isAll && held.length === seen } : null;
    },
  };
}

/** The name of something that a list shows: two apps may use one id. */
function shownName(shown: JsonObject): string {
  return refName({ appId: textOf(shown, "appId"), id: textOf(shown, "id") });
}
