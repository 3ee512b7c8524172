import type { Kind, KindPart } from "../kinds/kind.js";
import { type JsonObject, same } from "../model/json.js";
import type { StepRecord } from "../plan/record/record.js";
import type { Step } from "../plan/step.js";
import type { StepContext } from "./context.js";

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

/** When the step wrote what the service shows late, beside what earlier ones wrote of it; nothing where it wrote none. */
export function writtenNow(
  { before, after, managed }: Step,
  { kind: { reads }, entry, patience }: Pick<StepContext, "kind" | "entry" | "patience">,
): Pick<StepRecord, "late"> {
  const isWritten = ({ as, field }: KindPart) =>
    as === "lists" && managed.owned.includes(field) && !same(before?.[field] ?? null, after?.[field] ?? null);
  const fields = (reads.parts ?? []).filter(isWritten).map(({ field }) => field);
  if (fields.length === 0) return {};
  const at = new Date(patience.clock.now()).toISOString();
  return { late: { ...entry?.late, ...Object.fromEntries(fields.map((field) => [field, at])) } };
}
