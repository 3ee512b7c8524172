import type { RecordedStep, RunRecord } from "../../apply/runRecord.js";
import { snippetOf } from "../../manifest/format/snippet.js";
import { lineDiff } from "../../report/text/unifiedDiff.js";
import { tame } from "../../report/text/visible.js";

const DONE: Readonly<Record<string, string>> = {
  create: "created",
  update: "updated",
  set: "updated",
  replace: "replaced",
  delete: "deleted",
  adopt: "adopted",
  forget: "no longer managed",
  rescue: "rescued",
  settle: "settled by hand",
};

/** What became of a step, in words: `created`, or `create failed`. */
export function outcomeOf({ action, outcome }: Pick<RecordedStep, "action" | "outcome">): string {
  return outcome === "done" ? (DONE[action] ?? action) : `${action} ${outcome}`;
}

/** What is said in place of the fields of a step that did nothing. */
export const NOTHING = "nothing was written";

/** `2 created, 1 update failed`; what the run was where it was about no object. */
export function countsOf(record: RunRecord): string {
  const { steps } = record;
  if (steps.length === 0) return kindOf(record);
  const counts = new Map<string, number>();
  for (const step of steps) counts.set(outcomeOf(step), (counts.get(outcomeOf(step)) ?? 0) + 1);
  return [...counts].map(([what, count]) => `${count} ${what}`).join(", ");
}

/** When a run ended, to the minute. */
export function whenOf({ at }: RunRecord): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

/** Who ran it: the user where one is known, and where. */
export function whoOf({ by: { user, host, job } }: RunRecord): string {
  return `${user ?? "an unknown user"} ${job === null ? `on ${host}` : `in ${job}`}`;
}

/** What the record is of. */
export function kindOf({ as, by }: RunRecord): string {
  switch (as) {
    case "apply":
      return "an apply";
    case "recovery":
      return "an apply that was cut off, settled by the run after it";
    case "command":
      return by.command;
    default:
      return as satisfies never;
  }
}

/** The values of a step before and after it, as a manifest writes them; none where their texts are not kept. */
export function valuesOf({ fields }: RecordedStep): readonly string[] {
  const kept = fields.filter(({ values }) => values !== undefined);
  const written = (when: "before" | "after") =>
    kept.flatMap((field) => {
      const value = field.values?.[when];
      if (value !== undefined) return snippetOf({ [field.name]: value });
      return field[when] === "unknown" ? [`# ${field.name}: not seen`] : [];
    });
  return lineDiff(written("before"), written("after")).map(tame);
}

/** Whether a record has texts of values, in words. */
export function keptOf({ steps }: RunRecord): string {
  const fields = steps.flatMap((step) => step.fields);
  if (fields.length === 0) return "none";
  return fields.some(({ values }) => values !== undefined) ? "kept" : "not kept, but for their hashes";
}

/** Which effect was applied, and whether it was the expected one. */
export function effectOf({ effect: { applied, expected } }: RunRecord): string {
  if (applied === null) return "not known";
  if (expected === null) return `${applied} (no effect was expected)`;
  return expected === applied ? `${applied} (as expected)` : `${applied} (expected: ${expected})`;
}
