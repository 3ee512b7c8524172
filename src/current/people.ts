import {
  accountIn,
  type EntitlementRef,
  excludedIn,
  grantsOfUser,
  heldIn,
  holderIn,
  holdsIn,
  introspection,
  listAccounts,
  listExclusions,
  listHolders,
  listUsers,
  ownerIn,
  refName,
  searchHeld,
  userIn,
} from "../kinds/people.js";
import type { Call } from "../model/call.js";
import type { Json, JsonObject } from "../model/json.js";
import type { Reader } from "./remote.js";

/** Reads about people, within a number of calls. What fails, or would cost more than is left, is unknown. */
export interface PeopleReads {
  /** How many calls may still be made. */
  readonly left: () => number;
  /** Gives the users page by page; true once all of them were given. */
  users(take: (rows: readonly JsonObject[]) => void): Promise<boolean>;
  /** How many grants each entitlement has, by app and id. */
  held(refs: readonly EntitlementRef[]): Promise<ReadonlyMap<string, number>>;
  /** Everyone who holds an entitlement; null where that could not be read to the end. */
  holders(ref: EntitlementRef): Promise<ReadonlySet<string> | null>;
  /** Whether each of some users holds an entitlement, asked one by one. */
  whoHold(ref: EntitlementRef, users: readonly string[]): Promise<ReadonlyMap<string, boolean>>;
  /** Everyone whom an automation leaves out; null where that could not be read. */
  excluded(ref: EntitlementRef): Promise<ReadonlySet<string> | null>;
  /** The user of the credentials; null where the service does not say. Nothing is said of a failure. */
  owner(): Promise<string | null>;
  accounts(app: string): Promise<readonly JsonObject[] | null>;
}

// The search answers at most a hundred rows a page.
const REFS_A_CALL = 100;

/** Reads about people with one reader, and counts the calls against a budget. */
export function readPeople(reader: Reader, budget: number): PeopleReads {
  let left = budget;

  /** Reads a list to its end, or to the end of the budget: true for its end. */
  async function pages(purpose: string, call: Call, take: (page: readonly Json[]) => void): Promise<boolean> {
    if (left <= 0) return false;
    return reader.pages(purpose, call, (page) => {
      left -= 1;
      take(page);
      return left > 0;
    });
  }

  async function rows(purpose: string, call: Call): Promise<readonly Json[] | null> {
    const found: Json[] = [];
    return (await pages(purpose, call, (page) => found.push(...page))) ? found : null;
  }

  return {
    left: () => left,
    users: (take) =>
      pages("users", listUsers(), (page) => take(page.map(userIn).filter((user) => user !== undefined))),
    async held(refs) {
      const found = new Map<string, number>();
      const wanted = [...new Map(refs.map((ref) => [refName(ref), ref])).values()];
      for (let at = 0; at < wanted.length; at += REFS_A_CALL) {
        const page = await rows("grants", searchHeld(wanted.slice(at, at + REFS_A_CALL)));
        for (const row of page ?? []) {
          const one = heldIn(row);
          if (one !== undefined) found.set(refName(one), one.grants);
        }
      }
      return found;
    },
    async holders(ref) {
      const found = await rows("grants", listHolders(ref));
      return found === null ? null : new Set(found.flatMap((row) => holderIn(row) ?? []));
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
      const found = await rows("exclusions", listExclusions(ref));
      return found === null ? null : new Set(found.flatMap((row) => excludedIn(row) ?? []));
    },
    async owner() {
      if (left <= 0) return null;
      left -= 1;
      const fetched = await reader.one("credentials", introspection(), "sparing");
      return fetched.as === "got" ? (ownerIn(fetched.value) ?? null) : null;
    },
    async accounts(app) {
      const found = await rows("accounts", listAccounts(app));
      return found?.map(accountIn).filter((account) => account !== undefined) ?? null;
    },
  };
}
