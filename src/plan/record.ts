import { keptOtherwise, placeOf } from "../diff/kept.js";
import { ours } from "../diff/own.js";
import type { Kind } from "../kinds/kind.js";
import type { JsonObject } from "../model/json.js";
import { formatPath } from "../model/path.js";
import type { Entry } from "../state/snapshot.js";
import type { Step } from "./step.js";

/** What the state records of a step that is done. */
export type StepRecord = Pick<Entry, "applied" | "answered" | "rewritten" | "protected">;

/**
 * What a done step leaves in the state: the managed fields as sent, and the whole object as the service answered. An
 * adopted
 * object answered what it was before; null stands for a service that showed nothing.
 */
export function recordOf(
  step: Step,
  answered: JsonObject | null,
  { shape }: Pick<Kind, "shape">,
): StepRecord {
  const { after, owned } = step;
  const sent = after ?? {};
  const rewritten = answered === null ? [] : keptOtherwise(sent, answered, owned, shape);
  return {
    applied: ours(sent, owned),
    answered,
    rewritten: rewritten.map((change) => formatPath(placeOf(change))),
    protected: step.protected,
  };
}
