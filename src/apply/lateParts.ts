import type { Kind } from "../kinds/kind.js";
import { normalise } from "../kinds/normalise.js";
import { listOf, without } from "../kinds/spelling.js";
import type { Json, JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import { verbOf } from "../plan/calls.js";
import type { Background } from "../plan/record/background.js";
import { notKeptIn, recordOf, type StepRecord } from "../plan/record/record.js";
import type { Step } from "../plan/step.js";
import type { Seen } from "../tenant/known.js";
import type { StepContext } from "./context.js";
import { readPatiently } from "./reads/patience.js";

/** Whether other reads than the object's own show parts of it; those that lag count as written. */
export function isShownInParts({ reads: { parts = [] } }: Kind): boolean {
  return parts.some(({ as }) => as !== "lists");
}

/** The fields that were read, with those that the service shows late as they were written. */
export function asWritten(
  fields: JsonObject,
  { after, managed }: Step,
  { reads: { parts = [] } }: Kind,
): JsonObject {
  const late = parts.filter(({ as, field }) => as === "lists" && managed.owned.includes(field));
  const values = late.map(({ field }) => [field, after?.[field] ?? null] as const);
  return late.length === 0 ? fields : { ...fields, ...Object.fromEntries(values) };
}

/** What is there after a step. Parts are shown by lists, which may lag behind what was just written. */
export async function lookBack(step: Step, key: Key | null, context: StepContext): Promise<Seen | null> {
  const { kind, readBack, patience, pause, halt } = context;
  if (readBack === null) return null;
  const isLate = (seen: Seen) =>
    seen.as === "absent" ||
    (seen.as === "present" && notKeptIn(recordOf(step, seen.fields, kind), kind.shape).length > 0);
  return readPatiently(
    async () => {
      const seen = await readBack(key);
      return seen.as === "present" ? { ...seen, fields: asWritten(seen.fields, step, kind) } : seen;
    },
    (seen) => isShownInParts(kind) && isLate(seen) && halt.reason() === null,
    () => patience.createLag,
    { clock: patience.clock, pause },
  );
}

/** Whether the item that a call would add is there. */
export function isAddedIn(fields: JsonObject, { calls }: Step, place: number): boolean {
  const { item } = calls[place] ?? {};
  return item?.isAdded === true && without([item.value], listOf(fields, item.field)).length === 0;
}

/** What the first calls of a step made of the parts that the service shows late; nothing of a part that they left alone. */
export function writtenBy(step: Step, calls: number, { shape }: Pick<Kind, "shape">): JsonObject {
  const before = (verbOf(step) === "create" ? null : step.before) ?? {};
  const lists = new Map<string, readonly Json[]>();
  for (const { item } of step.calls.slice(0, calls)) {
    if (item === undefined) continue;
    const { field, value, isAdded } = item;
    const others = without(lists.get(field) ?? listOf(before, field), [value]);
    lists.set(field, isAdded ? [...others, value] : others);
  }
  const normal = lists.size === 0 ? {} : normalise(Object.fromEntries(lists), shape);
  return Object.fromEntries([...lists.keys()].map((field) => [field, normal[field] ?? null]));
}

/** The same for the journal. */
export function writtenUntil(...of: Parameters<typeof writtenBy>): { readonly written?: JsonObject } {
  const written = writtenBy(...of);
  return Object.keys(written).length === 0 ? {} : { written };
}

/** The record of a step that was cut off, with what it wrote of the parts that the service shows late. */
export function withWritten(record: StepRecord, written: JsonObject, at: number): StepRecord {
  const fields = Object.keys(written);
  if (fields.length === 0) return record;
  const { applied, answered } = record;
  return {
    ...record,
    applied: { ...applied, ...written },
    answered: answered === null ? null : { ...answered, ...written },
    ...lateSince(fields, at),
  };
}

/** That parts were written at a time. */
export function lateSince(fields: readonly string[], at: number): Pick<StepRecord, "late"> {
  if (fields.length === 0) return {};
  const time = new Date(at).toISOString();
  return { late: Object.fromEntries(fields.map((field) => [field, time])) };
}

/** A record with what the state keeps beside it; a part that was written again was written last by this step. */
export function withBackground(record: StepRecord, background: Background): StepRecord {
  const late = { ...background.late, ...record.late };
  return { ...record, ...background, ...(Object.keys(late).length > 0 && { late }) };
}
