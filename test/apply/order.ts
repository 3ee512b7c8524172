import type { Order } from "../../src/apply/order.js";
import type { Request } from "../../src/plan/request.js";
import { owner } from "../contracts/store.js";

/** An apply of a request that asks no question and is never interrupted. */
export function orderFor(request: Request, more: Partial<Order> = {}): Order {
  return {
    request,
    plan: null,
    expected: null,
    mergedAt: null,
    isAllOrNothing: false,
    owner: owner("apply"),
    lockTimeout: 0,
    rescue: null,
    appliedFolder: null,
    lineage: "lineage",
    run: "run",
    pullRequest: null,
    asksAboutIntent: false,
    review: async () => true,
    listener: async () => undefined,
    interrupt: new AbortController().signal,
    ...more,
  };
}
