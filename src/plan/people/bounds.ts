import type { OpenRange } from "../plan.js";
import type { PeopleCount, PlanImpact, StepImpact } from "./impact.js";
import type { PeopleQuestion } from "./question.js";

/** Who has more afterwards (gains access, enters a review, may request) and who has less. */
export interface Moved {
  readonly more: OpenRange;
  readonly fewer: OpenRange;
}

const NO_ONE: OpenRange = { low: 0, high: 0 };
const ANY_NUMBER: OpenRange = { low: 0, high: null };

/** What a question is about: access is never added to reviews, nor to who may request. */
export function measureOf({ as }: PeopleQuestion): "access" | "reviews" | "requests" {
  return as === "audience" ? "reviews" : as === "requesters" ? "requests" : "access";
}

/** How many people a step moves. Where that was not counted, it is open upwards, but for what the step cannot do. */
export function movedBy(question: PeopleQuestion, found: StepImpact | undefined): Moved {
  switch (question.as) {
    case "members": {
      const counted = found?.as === "members" ? found : null;
      // No one loses by a new rule, or gains where none is left. Whether members then stay is not documented.
      return {
        more: question.after === null ? NO_ONE : rangeOf(counted?.gains, question.isSure.gains),
        fewer: question.isNew
          ? NO_ONE
          : rangeOf(counted?.loses, question.isSure.loses && counted?.ends !== true),
      };
    }
    case "enrolled": {
      const counted = found?.as === "enrolled" ? found : null;
      return {
        more: question.gives ? rangeOf(counted?.gains) : NO_ONE,
        fewer: question.takes ? rangeOf(counted?.loses) : NO_ONE,
      };
    }
    case "holdings":
      return { more: NO_ONE, fewer: rangeOf(found?.as === "holdings" ? found.people : undefined) };
    case "audience": {
      const counted = found?.as === "audience" ? found : null;
      return { more: rangeOf(counted?.enters), fewer: rangeOf(counted?.leaves) };
    }
    case "requesters":
      return { more: ANY_NUMBER, fewer: ANY_NUMBER };
  }
}

/** How many people each rule, or each review, moves that stays and follows. */
export function movedByFollowers(
  impact: Pick<PlanImpact, "follow"> | null,
  kind: PlanImpact["follow"][number]["as"],
): readonly Moved[] {
  return (impact?.follow ?? [])
    .filter(({ as }) => as === kind)
    .map(({ counts }) => ({ more: rangeOf(counts?.gains), fewer: rangeOf(counts?.loses) }));
}

function rangeOf(count: PeopleCount | undefined, isSure = true): OpenRange {
  if (count === undefined) return ANY_NUMBER;
  return { low: isSure ? count.low : 0, high: count.high };
}
