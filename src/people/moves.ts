import type { Count } from "../impact/count.js";
import { NO_PEOPLE, type People } from "../impact/guard/people.js";
import type { MembershipImpact } from "../impact/membership.js";
import type { Person } from "../impact/person.js";
import type { ReviewImpact } from "../impact/review.js";
import { formatAddress } from "../model/address.js";
import type { PeopleMoves } from "../plan/guards/own/input.js";
import type { UserQuestion } from "../plan/people/question.js";

/** Who may gain, lose, enter and leave by each step, as guards ask it. A list that may lack someone is unknown. */
export function movesOf(
  rules: ReadonlyMap<UserQuestion, MembershipImpact>,
  reviews: ReadonlyMap<UserQuestion, ReviewImpact>,
  met: ReadonlyMap<string, Person>,
  areAll: boolean,
): PeopleMoves {
  const peopleIn = ({ people, high }: Count): People => {
    const found = people.flatMap((id) => met.get(id) ?? []);
    const isWhole = high === 0 || (areAll && high !== null && people.length >= high);
    if (!isWhole || found.length < people.length) return { unknown: "not all people were read" };
    return { people: found };
  };
  return new Map([
    ...[...rules].map(([{ step }, { gains, loses, keeps }]) => {
      const keep = keeps.low === keeps.high ? { count: keeps.low } : { unknown: "it is not exact" };
      const view = { ...NO_PEOPLE, gain: peopleIn(gains), lose: peopleIn(loses), keep };
      return [formatAddress(step.address), view] as const;
    }),
    ...[...reviews].map(([question, { enters, leaves }]) => {
      const view = { ...NO_PEOPLE, enter: peopleIn(enters), leave: peopleIn(leaves) };
      return [formatAddress(question.step.address), view] as const;
    }),
  ]);
}
