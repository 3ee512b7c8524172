import { peopleOf } from "../impact/person.js";
import { expressionOf } from "../impact/rule/needs.js";
import type { PlanImpact } from "../plan/people/impact.js";
import { isAboutUsers, type PeopleQuestion } from "../plan/people/question.js";
import type { PeopleReads } from "../tenant/peopleReads.js";
import type { UserTally } from "./tallyUsers.js";
import { askedBy, valuesFor } from "./valuesSeen.js";

/**
 * The rules that are new, or held for no one, and hold for no one, with the values that no user has. Where only some
 * users were asked about, the others are read for a new rule.
 */
export async function rulesWithoutPeople(
  asked: readonly PeopleQuestion[],
  { users, sight, found, values: ofAsked, names }: UserTally,
  reads: PeopleReads,
): Promise<PlanImpact["withoutPeople"]> {
  if (sight !== "users" || !users.areAll) return [];
  const without = asked.filter(isAboutUsers).filter((question) => {
    const impact = found.get(question);
    const isRule = question.after !== null && expressionOf(question.after ?? {}) !== null;
    if (!isRule || (impact?.as !== "members" && impact?.as !== "audience")) return false;
    if (impact.as === "audience" && impact.isStill) return false;
    const wasEmpty = question.before === null || impact.before.high === 0;
    return wasEmpty && impact.after.high === 0;
  });
  if (without.length === 0) return [];
  let [values, areAll] = [ofAsked, users.where === null];
  // An edited rule that held for no one before is worth no list of all users.
  if (!areAll && without.some(({ before }) => before === null)) {
    values = valuesFor(without);
    const list = await reads.users(null, (rows) => {
      const people = peopleOf(rows);
      values.add(people);
      names.add(people);
    });
    areAll = await list.isSteady;
  }
  return without.map((question) => ({
    address: question.step.address,
    unmet: !areAll
      ? []
      : askedBy(question)
          .filter(({ attribute, value, isExact }) => values.isUnmet(attribute, value, isExact))
          .map(({ attribute, value }) => ({
            attribute,
            value,
            nearest: values.nearestTo(attribute, value, names),
          })),
  }));
}
