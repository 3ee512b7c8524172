import type { PeopleReads } from "../current/people.js";
import type { StepImpact } from "../plan/impact.js";
import type { PeopleQuestion } from "../plan/question.js";

/** What the service keeps under an object that is deleted: a search for its resources, and one for their entitlements. */
export async function holdingsOf(
  { step: { address, key }, type }: Extract<PeopleQuestion, { as: "holdings" }>,
  reads: PeopleReads,
): Promise<StepImpact> {
  const resources = await reads.resources(type);
  const held = await reads.heldUnder(type);
  const extent = (low: number) => (held === null ? null : { low, isAll: held.isAll });
  return {
    address,
    key,
    as: "holdings",
    unknown: [],
    resources,
    entitlements: extent(held?.grants.length ?? 0),
    grants: extent((held?.grants ?? []).reduce((sum, grants) => sum + grants, 0)),
  };
}
