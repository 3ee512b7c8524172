import type { Observed } from "../kinds/kind.js";
import type { Step } from "../plan/step.js";
import { INACCURACY } from "../tenant/madeBy.js";
import type { StepContext } from "./context.js";

/**
 * When the object was made that the create of a step replaced; null where it replaced none. A service that replaces what
 * exists keeps its `createdAt`, so that the reply to the create shows an object older than the request. What the plan
 * shows as `before` is replaced on purpose. `leftAt` is when the create left for the first time.
 */
export function replacedBy(
  { action, before }: Step,
  observed: Observed | undefined,
  leftAt: number | null,
  { service, patience }: Pick<StepContext, "service" | "patience">,
): string | null {
  if (action !== "create" || before !== null || leftAt === null || observed?.createdAt === undefined) {
    return null;
  }
  const requested = service.serverTime() - (patience.clock.elapsed() - leftAt);
  return Date.parse(observed.createdAt) < requested - INACCURACY ? observed.createdAt : null;
}
