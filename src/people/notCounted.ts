import { isLive } from "../kinds/interface.js";
import { type Follower, followersOf } from "../plan/people/follow.js";
import type { PlanImpact, StepImpact } from "../plan/people/impact.js";
import { isAboutUsers, type PeopleQuestion, questionsOf } from "../plan/people/question.js";
import type { Plan } from "../plan/plan.js";
import { countConflicts, type DescribedConflict, movedConflicts } from "./conflicts.js";

/** What a plan means for people where they are not counted; null where no step may move anyone. */
export function notCounted(plan: Plan, conflicts: readonly DescribedConflict[] = []): PlanImpact | null {
  const all = questionsOf(plan.steps);
  if (all.length === 0) return null;
  const inConflict = countConflicts(movedConflicts(conflicts, all));
  const why = plan.mode.offline ? OFFLINE : NOT_ASKED;
  const none = { low: 0, high: 0 };
  return {
    users: { read: 0, areAll: false, where: null },
    steps: [],
    together: { gains: none, loses: none, enters: none, leaves: none },
    spread: [],
    follow: followersOf(plan.steps).map((one) => followOf(one, null)),
    unknownAttributes: [],
    withoutPeople: [],
    ...(inConflict.length > 0 && { conflicts: inConflict }),
    uncounted: all.map((question) => ({
      address: question.step.address,
      why: isShown(plan, question) ? why : NOT_SHOWN,
    })),
    ...{ failed: [], calls: {} },
  };
}

/** Whether a plan has something to count: its people are then known later than the rest. */
export function countsPeople(plan: Plan): boolean {
  return questionsOf(plan.steps).some((question) => isShown(plan, question));
}

/** Whether a step changes a rule or the users of a review. */
export function changesPeople(step: Plan["steps"][number]): boolean {
  return questionsOf([step]).some(isAboutUsers);
}

/** Whether the service shows what a question is about. */
export function isShown(plan: Pick<Plan, "interface">, { step }: PeopleQuestion): boolean {
  return isLive(plan.interface.kinds, step.address.kind);
}

/** What becomes of a rule that follows, as a plan keeps it. */
export function followOf(
  { question, asksFor }: Follower,
  impact: StepImpact | null,
): PlanImpact["follow"][number] {
  const counts =
    impact?.as === "members"
      ? { gains: impact.gains, loses: impact.loses }
      : impact?.as === "audience"
        ? { gains: impact.enters, loses: impact.leaves }
        : null;
  return { address: question.step.address, as: question.as, asksFor, counts };
}

/** Why no one is counted where the list of users is empty, and where it did not come. */
export const NO_USERS = "the service shows no users to this token";

export const NOT_READ = "the users could not be read";

/** Why nothing is counted of a kind without reads. */
export const NOT_SHOWN = "the interface `core` shows no people";

const OFFLINE = "an offline plan reads no people";

const NOT_ASKED = "`--impact off` counts no one";
