import { needsOf } from "../../impact/rule/needs.js";
import type { KindOf } from "../../kinds/kindOf.js";
import { type EntitlementRef, refName } from "../../kinds/people.js";
import type { Address } from "../../model/address.js";
import type { Step } from "../step.js";
import { allQuestionsOf, type PeopleQuestion, questionsOf } from "./question.js";

type MembersQuestion = Extract<PeopleQuestion, { as: "members" }>;

/** A rule that a plan leaves as it is, and that asks for an entitlement whose rule it changes. */
export interface Follower {
  /** The rule, asked at two times: now, and after what the plan changes. */
  readonly question: MembersQuestion;
  /** The changed rules whose entitlements it asks for. */
  readonly asksFor: readonly Address[];
  /** The rules of the plan, changed or not, that ask for its own entitlement. They may follow it in turn. */
  readonly more: readonly Address[];
}

/** The rules that follow what a plan changes: whom they match may differ by their next run. */
export function followersOf(steps: readonly Step[], kindOf: KindOf): readonly Follower[] {
  const changed = questionsOf(steps, kindOf).filter(isAboutMembers);
  const isChanged = new Set(changed.map(({ step }) => step));
  const rules = allQuestionsOf(steps, kindOf).filter(isAboutMembers);
  return rules.flatMap((question): readonly Follower[] => {
    if (isChanged.has(question.step) || question.after === null) return [];
    const asksFor = changed.filter(({ entitlement }) => asks(question, entitlement));
    if (asksFor.length === 0) return [];
    const more = rules.filter((rule) => rule !== question && asks(rule, question.entitlement));
    return [
      {
        question: { ...question, after: { ...question.after } },
        asksFor: asksFor.map(({ step }) => step.address),
        more: more.map(({ step }) => step.address),
      },
    ];
  });
}

function isAboutMembers(question: PeopleQuestion): question is MembersQuestion {
  return question.as === "members";
}

function asks({ after }: MembersQuestion, entitlement: EntitlementRef): boolean {
  return needsOf(after).members.some((ref) => refName(ref) === refName(entitlement));
}
