import type { Campaign } from "../kinds/campaign.js";
import type { EntitlementRef, Held, HolderRef, Holders } from "../kinds/people.js";
import type { Call } from "../model/call.js";
import type { Json, JsonObject } from "../model/json.js";
import type { Budget, BudgetedWork } from "./budget.js";

/**
 * Reads about people, within a number of calls. What fails, or would cost more than is left, is unknown. Once the service
 * said that these credentials may not make one kind of read, no other of that kind is sent.
 */
export interface PeopleReads {
  /** Whether so many calls may still be made. */
  readonly allows: Budget["allows"];
  /** Runs works side by side; see `Budget`. */
  sideBySide<T extends readonly unknown[] | []>(
    works: {
      readonly [At in keyof T]: PeopleWork<T[At]>;
    },
  ): Promise<T>;
  /**
   * Gives the users, or only those with some values, page by page, each user once. A row that shows no user remit can read
   * may be anyone, so the list was not read to its end then.
   */
  users(where: UserFilter | null, take: (rows: readonly JsonObject[]) => void): Promise<ListRead>;
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
  /** Everyone whom the list of its holders shows; null where it could not be read to its end. */
  holdersShown(ref: EntitlementRef): Promise<HoldersShown | null>;
  /** Everyone who holds an entitlement; null where the list could not be read to its end, or moved meanwhile. */
  holders(ref: EntitlementRef): Promise<Holders | null>;
  /** Whether each of some users holds an entitlement, asked one by one. */
  whoHold(ref: EntitlementRef, users: readonly string[]): Promise<ReadonlyMap<string, boolean>>;
  /** Everyone whom an automation leaves out; null where that could not be read. */
  excluded(ref: EntitlementRef): Promise<ReadonlySet<string> | null>;
  /** The user of the credentials; null where the service does not say. Nothing is said of a failure. */
  owner(): Promise<string | null>;
  /** An object as the service shows it: null where it is gone, undefined where that could not be read. */
  object(call: Call): Promise<Json | null | undefined>;
  /** The rows of a list; null where it could not be read to its end, or moved meanwhile. */
  listed(kind: "decided" | "offered", call: Call): Promise<readonly Json[] | null>;
  accounts(app: string): Promise<readonly JsonObject[] | null>;
  /** How many accounts of some apps fit the account criteria of a scope; null where the service cannot say. */
  fitting(criteria: JsonObject, apps: readonly string[]): Promise<Extent | null>;
  /** The campaigns that have a template; null where they could not be read to the end. */
  campaigns(): Promise<readonly Campaign[] | null>;
  /** How many entitlements name a policy; none where the plan creates it. */
  decidedBy(policy: string | null): Promise<Extent | null>;
  /** The entitlements of an app; null where none could be read. */
  entitlementsIn(
    app: string,
  ): Promise<{ readonly rows: readonly JsonObject[]; readonly isAll: boolean } | null>;
  /** How many resources are under an object. */
  resources(of: HolderRef): Promise<Extent | null>;
  /** The entitlements that go with an object, each with its number of grants. */
  heldUnder(of: HolderRef): Promise<{ readonly held: readonly Held[]; readonly isAll: boolean } | null>;
}

/** A work that reads about people, and how many calls it is expected to need. */
export interface PeopleWork<T> {
  readonly calls: BudgetedWork<T>["calls"];
  readonly run: (reads: PeopleReads) => Promise<T>;
}

/** How a list was read: what it showed to its end is everything only if it is steady. */
export interface ListRead {
  readonly isEnded: boolean;
  /** Whether it was read to its end, and each of its pages shows the same rows when it is read again. */
  readonly isSteady: Promise<boolean>;
}

/** A list that was not read to its end. */
export const NOT_READ: ListRead = { isEnded: false, isSteady: Promise.resolve(false) };

export type HoldersShown = Pick<ListRead, "isSteady"> & { readonly holders: Holders };

/** Values by field of a user: one of each is asked for. */
type UserFilter = Readonly<Record<string, readonly string[]>>;

/** How many of something were read, and whether those are all. */
export interface Extent {
  readonly low: number;
  readonly isAll: boolean;
}
