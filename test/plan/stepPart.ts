import type { Step } from "../../src/plan/step.js";

type Group = "sight" | "recorded" | "managed";

/** Some members of a step, and some of its groups. */
export type StepPart = Partial<Omit<Step, Group>> & { readonly [G in Group]?: Partial<Step[G]> };

/** A step with other members. */
export function withPart(step: Step, { sight, recorded, managed, ...others }: StepPart): Step {
  return {
    ...step,
    ...others,
    sight: { ...step.sight, ...sight },
    recorded: { ...step.recorded, ...recorded },
    managed: { ...step.managed, ...managed },
  };
}
