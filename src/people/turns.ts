import type { GroupFound } from "../impact/census.js";
import type { MembershipImpact } from "../impact/membership.js";
import { needsOf } from "../impact/rule/needs.js";
import { type Holders, refName } from "../kinds/people.js";
import { givenBy } from "../plan/people/follow.js";
import type { PeopleQuestion, UserQuestion } from "../plan/people/question.js";

/** The entitlements that other people may hold by a plan: by a rule that it changes, or by what a profile offers. By `refName`. */
export function changedBy(questions: readonly PeopleQuestion[]): ReadonlySet<string> {
  return new Set(
    questions.flatMap((question) => givenBy(question).map(({ entitlement }) => refName(entitlement))),
  );
}

/**
 * Questions in turns: the new rule of each asks only for entitlements whose changes earlier turns are about. Those of a
 * circle, and of entitlements that are not asked about, come last.
 */
export function inTurns(
  questions: readonly UserQuestion[],
  changing: ReadonlySet<string>,
  groups: ReadonlyMap<string, GroupFound | null>,
): readonly (readonly UserQuestion[])[] {
  const turns: (readonly UserQuestion[])[] = [];
  const known = new Set<string>();
  let left = questions;
  while (left.length > 0) {
    const ready = left.filter((question) =>
      changedNeeds(question, changing, groups).every((ref) => known.has(ref)),
    );
    const turn = ready.length > 0 ? ready : left;
    turns.push(turn);
    for (const ref of changedBy(turn)) known.add(ref);
    left = ready.length > 0 ? left.filter((question) => !ready.includes(question)) : [];
  }
  return turns;
}

/** The entitlements for whose holders a new rule asks, and whose own rules the plan changes. */
function changedNeeds(
  { after }: UserQuestion,
  changing: ReadonlySet<string>,
  groups: ReadonlyMap<string, GroupFound | null>,
): readonly string[] {
  const needs = needsOf(after);
  const named = needs.groups.flatMap((name) => groups.get(name) ?? []);
  return [...needs.members, ...named].map(refName).filter((ref) => changing.has(ref));
}

/**
 * Who holds an entitlement once its rule was changed. A holder to whom the new rule does not give it may have come by hand
 * and stay; someone to whom it gives it gets it by its next run.
 */
export function holdersAfter(now: Holders, given: MembershipImpact["given"]): Holders {
  const ids = new Set([...now.keys(), ...given.keys()]);
  return new Map([...ids].map((id) => [id, now.get(id) === true && given.get(id) === true ? true : null]));
}
