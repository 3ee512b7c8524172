import { canonical, isObject, type JsonObject } from "../model/json.js";
import type { PeopleQuestion } from "../plan/people/question.js";
import type { Extent, PeopleReads } from "../tenant/peopleReads.js";

/** How many accounts of the reviewed apps fit the account criteria of a scope, before and after its edit. */
export interface FittingAccounts {
  readonly before: Extent;
  readonly after: Extent;
}

/**
 * Counts the accounts that an edit of a scope is about, by the service's own search. Null where the criteria stay as they
 * are, where it is not known which apps are reviewed, and where the search has no filter for a criterion.
 */
export async function fittingAccounts(
  { before, after, apps }: Pick<Extract<PeopleQuestion, { as: "audience" }>, "before" | "after" | "apps">,
  reads: Pick<PeopleReads, "sideBySide">,
): Promise<FittingAccounts | null> {
  const [was, is] = [criteriaIn(before), criteriaIn(after)];
  if (was === null || is === null || canonical(was) === canonical(is)) return null;
  if (apps.before.length === 0 || apps.after.length === 0) return null;
  const [old, fresh] = await reads.sideBySide([
    { calls: 1, run: (own) => fitting(own, was, apps.before) },
    { calls: 1, run: (own) => fitting(own, is, apps.after) },
  ]);
  return old == null || fresh == null ? null : { before: old, after: fresh };

  /** The search combines its filters with and; that a scope does is not documented, so more accounts may be meant. */
  async function fitting(
    own: PeopleReads,
    criteria: JsonObject,
    some: readonly string[],
  ): Promise<Extent | null> {
    const found = await own.fitting(criteria, some);
    return found !== null && Object.keys(criteria).length > 1 ? { ...found, isAll: false } : found;
  }
}

/** The account criteria of a scope that names its entitlements; no criteria for all accounts, null for any other choice. */
function criteriaIn(scope: JsonObject | undefined): JsonObject | null {
  if (scope === undefined || !isObject(scope.specificResources) || isObject(scope.accountCelExpression))
    return null;
  const { accountCriteria: criteria } = scope;
  if (!isObject(criteria)) return {};
  return Object.fromEntries(
    Object.entries(criteria).filter(([, value]) => value !== null && value !== false && !isEmpty(value)),
  );
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
