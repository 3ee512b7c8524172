import { drift, type Explained, explain, explainUnseen, withRespelled } from "../../diff/cause.js";
import { keptOtherwise, lastSeen, recordedFields } from "../../diff/kept.js";
import type { Interface } from "../../kinds/interface.js";
import type { Kind } from "../../kinds/kind.js";
import { type JsonObject, same } from "../../model/json.js";
import type { Entry } from "../../state/snapshot.js";
import type { Seen } from "../../tenant/known.js";
import { existenceOf } from "../decide/existence.js";
import { NO_UNKNOWN_FIELDS, type Situation, unknownFieldsIn } from "../decide/situation.js";
import { acceptedFrom, deletedFrom, recordedFrom } from "../record/driftedFrom.js";
import { leavesRecord, showsWhatItRecords } from "../record/hiddenRelease.js";
import { deedOf, type Step } from "../step.js";
import { carriesOver, isDriftAlone } from "./showsAll.js";

/**
 * Whether a step shows what is decided on its object and its record as they are now. That is what was there before,
 * what it carries over, every change with its cause, and what it records.
 */
export function isStillTrue(
  step: Step,
  { kind, on, entry }: Pick<Situation, "kind" | "on" | "entry">,
  seen: Seen,
): boolean {
  const found = entry === null ? null : lastSeen(entry);
  const sight: Seen = seen.as === "recorded" ? { as: "recorded", fields: found } : seen;
  const now = sight.as === "present" || sight.as === "recorded" ? sight.fields : null;
  const before = leavesRecord(step) || step.action === "delete" ? now : null;
  return (
    step.sight.exists === existenceOf(sight) &&
    same(step.before, before) &&
    carriesOver(step, kind, now) &&
    recordsWhatIs(step, kind, entry) &&
    showsWhatItRecords(step, kind, entry) &&
    same(step.recorded.driftedFrom, driftedFromNow(step, kind, sight, entry)) &&
    areSame(step.changes, changesNow(step, kind, on, sight, entry))
  );
}

function changesNow(
  step: Step,
  kind: Kind,
  on: Interface,
  { as }: Seen,
  entry: Entry | null,
): readonly Explained[] {
  const { shape } = kind;
  const { reason, before, after } = step;
  const { owned } = step.managed;
  const deed = deedOf(step);
  if (deed === "adopt") {
    if (reason !== "drift only" || entry === null || before === null) return [];
    return drift(entry, before, shape).map((change) => ({ change, cause: "drifted" }));
  }
  if (after === null) return [];
  if (before === null) {
    return deed === "create" ? explain({}, after, owned, null, shape) : explainUnseen(after, owned, shape);
  }
  const isRecorded = as === "recorded" && entry !== null;
  const { unknown, unseen } = isRecorded ? unknownFieldsIn(entry, owned, kind, on) : NO_UNKNOWN_FIELDS;
  const found = explain(before, after, owned, entry, shape, unknown, unseen);
  return withRespelled(found, before, after, owned, shape);
}

/** What the step takes over that the tenant changed since the last apply. */
function driftedFromNow(step: Step, { shape }: Kind, seen: Seen, entry: Entry | null): JsonObject | null {
  const { before, after } = step;
  const { owned } = step.managed;
  if (entry === null || before === null) return null;
  if (step.action === "delete") return seen.as === "present" ? deletedFrom(entry, seen, shape) : null;
  if (after === null) return null;
  return isDriftAlone(step)
    ? recordedFrom(entry, before, shape)
    : acceptedFrom(entry, before, after, owned, shape);
}

/** Whether an adopted object is as the step says, but for differences that the state records already. */
function recordsWhatIs(step: Step, { shape }: Kind, entry: Entry | null): boolean {
  const { before, after } = step;
  const { owned } = step.managed;
  if (deedOf(step) !== "adopt") return true;
  const differing = keptOtherwise(after ?? {}, before ?? {}, owned, shape);
  const known = entry === null ? [] : keptOtherwise(entry.applied, recordedFields(entry), owned, shape);
  return differing.every((change) => known.some((one) => same(one, change)));
}

function areSame(shown: readonly Explained[], now: readonly Explained[]): boolean {
  const isSame = ({ change, cause }: Explained, at: number) =>
    cause === now[at]?.cause && same(change, now[at]?.change);
  return shown.length === now.length && shown.every(isSame);
}
