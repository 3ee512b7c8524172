import { needsOf } from "../../impact/rule/needs.js";
import type { KindOf } from "../../kinds/kindOf.js";
import { type EntitlementRef, refName } from "../../kinds/people.js";
import type { Address } from "../../model/address.js";
import type { Step } from "../step.js";
import { allQuestionsOf, type PeopleQuestion, questionsOf } from "./question.js";

type MembersQuestion = Extract<PeopleQuestion, { as: "members" }>;

/** A rule that stays as it is, and that asks for an entitlement whose holders may change. */
export interface Follower {
  /** The rule, asked at two times: now, and after what it follows. */
  readonly question: MembersQuestion;
  /** What gives the entitlements that it asks for: what the plan changes, or rules that follow that. */
  readonly asksFor: readonly Address[];
}

/**
 * The rules that follow what a plan changes, and those that follow them: whom they match may differ by their next runs.
 * `others` are rules that the plan is not about.
 */
export function followersOf(
  steps: readonly Step[],
  kindOf: KindOf,
  others: readonly MembersQuestion[] = [],
): readonly Follower[] {
  const changed = questionsOf(steps, kindOf).flatMap(givenBy);
  const isChanged = new Set(changed.map(({ step }) => step));
  const rules: readonly PeopleQuestion[] = [...allQuestionsOf(steps, kindOf), ...others];
  let left = rules.filter(isAboutMembers).filter(({ step, after }) => !isChanged.has(step) && after !== null);
  const found: MembersQuestion[] = [];
  let sources: readonly Given[] = changed;
  while (sources.length > 0) {
    const next = left.filter((rule) => sources.some(({ entitlement }) => asks(rule, entitlement)));
    left = left.filter((rule) => !next.includes(rule));
    found.push(...next);
    sources = next;
  }
  const all = [...changed, ...found];
  return found.map((question) => ({
    question: { ...question, after: question.after && { ...question.after } },
    asksFor: all.flatMap(({ entitlement, step }) => (asks(question, entitlement) ? [step.address] : [])),
  }));
}

/** An entitlement whose holders a step changes. */
type Given = Pick<MembersQuestion, "step" | "entitlement">;

function givenBy(question: PeopleQuestion): readonly Given[] {
  if (question.as === "members") return [question];
  if (question.as !== "holdings" || question.of.as !== "entitlement") return [];
  return [{ step: question.step, entitlement: question.of }];
}

function isAboutMembers(question: PeopleQuestion): question is MembersQuestion {
  return question.as === "members";
}

function asks({ after }: MembersQuestion, entitlement: EntitlementRef): boolean {
  return needsOf(after).members.some((ref) => refName(ref) === refName(entitlement));
}
