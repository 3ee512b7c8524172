import { kindNamed } from "../kinds/index.js";
import { withTexts } from "../model/pending.js";
import { rebuildCalls } from "./calls.js";
import { awaitedBy, keyFor, mapReferences } from "./pendingStep.js";
import type { Step } from "./step.js";

/** The step with other ids where its manifest has references: in its key, its fields, its calls, and what its names mean. */
export function withIds(step: Step, ids: ReadonlyMap<string, string>): Step {
  const kind = kindNamed(step.address.kind);
  if (ids.size === 0 || kind === undefined) return step;
  let isOther = false;
  const {
    managed: { identity },
    after,
    changes,
  } = mapReferences(step, (was) => {
    const id = typeof was === "string" ? ids.get(was) : undefined;
    isOther ||= id !== undefined;
    return id ?? was;
  });
  if (!isOther) return step;
  const key = keyFor(step, identity);
  const managed = { ...step.managed, identity, meanings: withTexts(step.managed.meanings, ids) };
  const other = { ...step, key, managed, after, changes };
  return { ...other, calls: rebuildCalls(other, kind, awaitedBy(step)) };
}
