import type { Address } from "../model/address.js";
import { formatAddress } from "../model/address.js";
import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import { pendingId, pendingIn, withTexts } from "../model/pending.js";
import type { CreatedObject } from "../state/snapshot.js";
import type { Step } from "./step.js";

/** The step with other texts for ids: in its key, its fields and its calls. */
export function withIds(step: Step, ids: ReadonlyMap<string, string>): Step {
  if (ids.size === 0) return step;
  return {
    ...step,
    key: step.key === null ? null : withTexts(step.key, ids),
    identity: withTexts(step.identity, ids),
    before: step.before === null ? null : withTexts(step.before, ids),
    after: step.after === null ? null : withTexts(step.after, ids),
    changes: withTexts(step.changes as unknown as Json, ids) as unknown as Step["changes"],
    calls: step.calls.map((call): Call => withTexts(call as unknown as Json, ids) as unknown as Call),
  };
}

/** The objects whose ids a step needs and that do not exist when it is planned. */
export function pendingOf({
  key,
  identity,
  after,
}: Pick<Step, "key" | "identity" | "after">): readonly Address[] {
  const all = [...pendingIn(key ?? []), ...pendingIn(identity), ...pendingIn(after)];
  return [...new Map(all.map((one) => [formatAddress(one), one])).values()];
}

/** What stands in a plan for the id of each created object, and the id. */
export function idsOf(created: readonly CreatedObject[]): Map<string, string> {
  return new Map(created.map(({ address, key }) => [pendingId(address), key.at(-1) ?? ""]));
}
