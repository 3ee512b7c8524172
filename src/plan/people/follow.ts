import { groupsIn } from "../../impact/audience.js";
import { needsOf } from "../../impact/rule/needs.js";
import { type EntitlementRef, isSameRef } from "../../kinds/people.js";
import type { Address } from "../../model/address.js";
import type { Step } from "../step.js";
import {
  allQuestionsOf,
  isAboutUsers,
  type MembersQuestion,
  type PeopleQuestion,
  questionsOf,
  type UserQuestion,
} from "./question.js";

/** A rule or a review that stays as it is, and that asks for an entitlement whose holders may change. */
export interface Follower {
  /** Asked at two times: now, and after what it follows. */
  readonly question: UserQuestion;
  /** What gives the entitlements that it asks for: what the plan changes, or rules that follow that. */
  readonly asksFor: readonly Address[];
}

/**
 * The rules and reviews that follow what a plan changes, and those that follow these: whom they match may differ by their next runs.
 * `others` are rules that the plan is not about.
 */
export function followersOf(
  steps: readonly Step[],
  others: readonly MembersQuestion[] = [],
): readonly Follower[] {
  const questions = questionsOf(steps);
  const changed = questions.flatMap(givenBy);
  const isChanged = new Set<object>(questions.filter(isAboutUsers).map(({ step }) => step));
  const all: readonly PeopleQuestion[] = [...allQuestionsOf(steps), ...others];
  let left = all.filter(isAboutUsers).filter(({ step, after }) => !isChanged.has(step) && after !== null);
  const found: UserQuestion[] = [];
  let sources: readonly Given[] = changed;
  while (sources.length > 0) {
    const next = left.filter((one) => sources.some(({ entitlement }) => asks(one, entitlement)));
    left = left.filter((one) => !next.includes(one));
    found.push(...next);
    sources = next.flatMap(givenBy);
  }
  const given = [...changed, ...found.flatMap(givenBy)];
  return found.map((question) => ({
    question: again(question),
    asksFor: given.flatMap(({ entitlement, step }) => (asks(question, entitlement) ? [step.address] : [])),
  }));
}

/** The same question with another value of what stays: before and after are then two. */
function again(question: UserQuestion): UserQuestion {
  return question.as === "members"
    ? { ...question, after: question.after && { ...question.after } }
    : { ...question, after: { ...question.after } };
}

/** An entitlement whose holders a step changes. */
type Given = Pick<MembersQuestion, "step" | "entitlement">;

/** What other people may hold once a question's step is done. */
export function givenBy(question: PeopleQuestion): readonly Given[] {
  const { step } = question;
  const all = (refs: readonly EntitlementRef[]) => refs.map((entitlement) => ({ step, entitlement }));
  switch (question.as) {
    case "members":
      return all([question.entitlement, ...question.offered]);
    case "enrolled":
      return all(question.offered);
    case "holdings":
      return question.of.as === "entitlement" ? all([question.of]) : [];
    default:
      return [];
  }
}

function asks(question: UserQuestion, entitlement: EntitlementRef): boolean {
  return heldByAsked(question).some((ref) => isSameRef(ref, entitlement));
}

/** The entitlements whose holders a rule or the users of a scope ask for. */
export function heldByAsked({ after }: UserQuestion): readonly EntitlementRef[] {
  return after === null ? [] : [...needsOf(after).members, ...groupsIn(after)];
}
