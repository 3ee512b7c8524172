import { campaignIn } from "../kinds/campaign.js";
import {
  resourceIn,
  searchEntitlementsBy,
  searchEntitlementsOf,
  searchResources,
} from "../kinds/holdings.js";
import {
  accountIn,
  type EntitlementRef,
  eachRefOnce,
  entitlementIn,
  excludedIn,
  grantName,
  grantsOfUser,
  type HolderRef,
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
  refIn,
  refName,
  searchAccounts,
  searchHeld,
  searchNamed,
  searchUser,
  searchUsers,
  searchUsersOf,
  userIn,
} from "../kinds/people.js";
import { listCampaigns } from "../kinds/template.js";
import type { Call } from "../model/call.js";
import { canonical, isObject, type Json, type JsonObject } from "../model/json.js";
import { pendingIn } from "../model/pending.js";
import { type Budget, makeBudget } from "./budget.js";
import {
  type Extent,
  type HoldersShown,
  type ListRead,
  NOT_READ,
  type PeopleReads,
  type PeopleWork,
} from "./peopleReads.js";
import type { Reader } from "./reader.js";

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
  | "decided"
  | "held under"
  | "offered";

function areSame(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && [...some].every((one) => others.has(one));
}

/** Reads lists with the calls of a budget. */
function makeLists(budget: Budget, { reader, firsts }: Shared) {
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
   * Reads a list to its end, or to the end of the budget. A row that comes twice may stand in the place of another. One that
   * leaves a page hides the first row of a later one: each page but the last is read again once the last one came. Only what
   * they show both times was all there at one time.
   */
  async function pages(
    kind: ReadKind,
    purpose: string,
    call: Call,
    take: (page: readonly Json[]) => void,
    nameOf: (row: Json) => string = canonical,
  ): Promise<ListRead> {
    const tell = await begin(kind);
    if (tell === null) return NOT_READ;
    const taken = new Set<string>();
    const read: (readonly string[])[] = [];
    const tokens: string[] = [];
    let isTwice = false;
    const count = (page: readonly Json[], token: string) => {
      tell(true);
      tokens.push(token);
      const names = page.map(nameOf);
      read.push(names);
      for (const name of names) {
        if (taken.has(name)) isTwice = true;
        taken.add(name);
      }
      take(page);
    };
    const end = await reader.pages(purpose, call, count, () => budget.take());
    tell(end !== "forbidden");
    if (isTwice) reader.doubt(purpose, call, "showed a row twice");
    else if (end === "cut off") reader.doubt(purpose, call, "was not read to its end");
    if (isTwice || end !== "ended") return NOT_READ;
    const earlier = read.slice(0, -1);
    if (!(await budget.take(earlier.length))) {
      reader.doubt(purpose, call, "was not read again");
      return { ...NOT_READ, isEnded: true };
    }
    const isSteady = Promise.all(
      earlier.map(async (names, at) => {
        const again = await reader.again(purpose, call, tokens[at] ?? "");
        if (again === null) return false;
        const isSame = areSame(new Set(names), new Set(again.map(nameOf)));
        if (!isSame) reader.doubt(purpose, call, "showed other rows when it was read again");
        return isSame;
      }),
    ).then((same) => !same.includes(false));
    return { isEnded: true, isSteady };
  }

  async function rows(
    kind: ReadKind,
    purpose: string,
    call: Call,
    nameOf?: (row: Json) => string,
  ): Promise<readonly Json[] | null> {
    const found: Json[] = [];
    const { isSteady } = await pages(kind, purpose, call, (page) => found.push(...page), nameOf);
    return (await isSteady) ? found : null;
  }

  /**
   * Gives what the rows of a list show, each once: a list that changes while it is read may show something twice. One with
   * a row that shows nothing was not read to its end.
   */
  async function distinct(
    kind: ReadKind,
    purpose: string,
    call: Call,
    shown: (row: Json) => RowShows,
    take: (some: readonly JsonObject[]) => void,
  ): Promise<ListRead> {
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
    const list = await pages(kind, purpose, call, read, nameOf);
    return isReadable ? list : NOT_READ;
  }

  async function extentOf(
    kind: ReadKind,
    purpose: string,
    call: Call,
    shown: (row: Json) => RowShows,
  ): Promise<Extent | null> {
    let low = 0;
    const { isSteady } = await distinct(kind, purpose, call, shown, (some) => {
      low += some.length;
    });
    const isAll = await isSteady;
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

  return { begin, pages, rows, distinct, extentOf, byHundreds };
}

function within(budget: Budget, shared: Shared): PeopleReads {
  const { reader, names } = shared;
  const { begin, pages, rows, distinct, extentOf, byHundreds } = makeLists(budget, shared);

  async function holdersShown(ref: EntitlementRef): Promise<HoldersShown | null> {
    if (!isThere(ref)) return { holders: new Map(), isSteady: Promise.resolve(true) };
    const rows: Json[] = [];
    const take = (page: readonly Json[]) => rows.push(...page);
    const { isEnded, isSteady } = await pages("holders", "grants", listHolders(ref), take, grantName);
    const found = rows.map(holderIn);
    if (!isEnded || found.includes("unreadable")) return null;
    const holders = found.filter((one) => typeof one === "object");
    const ended = holders.filter(({ isOver }) => isOver).map(({ id }) => [id, null] as const);
    const held = holders.filter(({ isOver }) => !isOver).map(({ id }) => [id, true] as const);
    return { holders: new Map<string, true | null>([...ended, ...held]), isSteady };
  }

  async function entitlementsOf(kind: ReadKind, of: HolderRef) {
    const rows: JsonObject[] = [];
    const purpose = kind === "decided" ? "entitlements" : "grants";
    const call = searchEntitlementsOf(of);
    const { isSteady } = await distinct(kind, purpose, call, entitlementIn, (some) => rows.push(...some));
    const isAll = await isSteady;
    return isAll || rows.length > 0 ? { rows, isAll } : null;
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
      const wanted = eachRefOnce(refs.filter(isThere));
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
    holdersShown,
    async holders(ref) {
      const shown = await holdersShown(ref);
      return shown !== null && (await shown.isSteady) ? shown.holders : null;
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
    listed: (kind, call) => rows(kind, "requests", call),
    async accounts(app) {
      const found: JsonObject[] = [];
      const { isSteady } = await distinct("accounts", "accounts", listAccounts(app), accountIn, (some) =>
        found.push(...some),
      );
      return (await isSteady) ? found : null;
    },
    async fitting(criteria, apps) {
      const call = searchAccounts(criteria, apps);
      return call === null ? null : extentOf("fitting", "accounts", call, accountIn);
    },
    async campaigns() {
      const found = await rows("campaigns", "campaigns", listCampaigns());
      return found?.map(campaignIn).filter((campaign) => campaign !== undefined) ?? null;
    },
    async decidedBy(policy) {
      if (policy === null) return NONE;
      return extentOf("decided", "entitlements", searchEntitlementsBy(policy), entitlementIn);
    },
    entitlementsIn: (app) => entitlementsOf("decided", { as: "app", appId: app, id: app }),
    async resources(of) {
      const call = searchResources(of);
      return call === null ? NONE : extentOf("resources", "resources", call, resourceIn);
    },
    async heldUnder(of) {
      const found = await entitlementsOf("held under", of);
      const held = found?.rows.flatMap((appEntitlement) => heldIn({ appEntitlement }) ?? []) ?? [];
      if (found === null || (!found.isAll && held.length === 0)) return null;
      return { held, isAll: found.isAll && held.length === found.rows.length };
    },
  };
}

/** The name of something that a list shows: two apps may use one id. */
function shownName(shown: JsonObject): string {
  return refName(refIn(shown));
}
