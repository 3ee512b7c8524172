import type { FoundRecord } from "../../apply/history.js";
import { hadBefore, type RecordedStep, type RunRecord } from "../../apply/runRecord.js";
import { owns, type Unit, unitsOf } from "../../diff/own.js";
import { normalise } from "../../kinds/normalise.js";
import type { JsonObject } from "../../model/json.js";
import type { SpecShape } from "../../schema/shape.js";
import type { Desired } from "../../tenant/known.js";

/** A run that changed an object: its record, and what it did with that object. */
export interface ChangingRun {
  readonly record: RunRecord;
  readonly step: RecordedStep;
  /** The commits that the object was applied from before it, the newest first. */
  readonly commits: readonly string[];
}

/** Where values before a run may come from. */
export type ValueOrigin =
  /** It was not set, as the record shows. */
  | { readonly as: "record" }
  /** The texts that are kept with the record. */
  | { readonly as: "texts" }
  | { readonly as: "state" }
  | { readonly as: "commit"; readonly commit: string };

/** Values that an object may have had before a run. */
export interface Candidate {
  readonly origin: ValueOrigin;
  readonly fields: JsonObject;
  /** The fields that it says something of; null for all. */
  readonly owned: readonly string[] | null;
  /** As its manifest wrote them, where it had one. */
  readonly written: JsonObject;
}

/** What a field, or a choice of fields, was before a run: of which candidate, and whether the record proves it. */
export interface ValueBefore {
  readonly unit: Unit;
  readonly of: Candidate;
  readonly isProved: boolean;
}

/** The same where it may not be known. */
type Earlier = ValueBefore | { readonly unit: Unit; readonly of: null; readonly isProved: false };

/**
 * The run before which the values are asked for: the one that is named, or the newest that changed the object, or one
 * field of it. Null where there is none.
 */
export function changingRun(
  found: readonly FoundRecord[],
  run: string | null,
  field: string | null,
): ChangingRun | null {
  const at = found.findIndex(([{ run: name, steps }]) =>
    run === null ? steps.some((step) => isChange(step, field)) : name === run,
  );
  const record = found[at]?.[0];
  const step = record?.steps[0];
  if (record === undefined || step === undefined) return null;
  const isApplied = ([{ steps }]: FoundRecord) => steps.some(({ outcome }) => outcome === "done");
  const commits = found
    .slice(at + 1)
    .filter(isApplied)
    .flatMap(([{ commit }]) => (commit === null ? [] : [commit]))
    .slice(0, 1);
  // Manifests may have changed often between the two runs.
  return { record, step, commits: record.commit === null ? commits : [...commits, `${record.commit}^`] };
}

function isChange({ action, fields, outcome }: RecordedStep, field: string | null): boolean {
  if (action === "create" || outcome !== "done") return false;
  return fields.some(({ name, before, after }) => before !== after && (field === null || name === field));
}

/** What a manifest at a commit says. */
export function candidateOf({ fields, owned, resource: { spec } }: Desired, commit: string): Candidate {
  return { origin: { as: "commit", commit }, fields, owned, written: spec };
}

/** What the texts that are kept with a record say of the time before it; null where none are kept. */
export function candidateOfTexts({ fields }: RecordedStep): Candidate | null {
  const shown = fields.filter(({ values }) => values !== undefined);
  if (shown.length === 0) return null;
  const before = shown.flatMap(({ name, values }) =>
    values?.before === undefined ? [] : [[name, values.before] as const],
  );
  const owned = shown.map(({ name }) => name);
  return { origin: { as: "texts" }, fields: Object.fromEntries(before), owned, written: {} };
}

/** The fields and choices that a run changed; of one field, that one alone. */
export function changedUnits(
  { fields }: RecordedStep,
  shape: SpecShape,
  field: string | null,
): readonly Unit[] {
  const isOther = ({ before, after }: (typeof fields)[number]) => before === "unknown" || before !== after;
  const changed = fields.filter(isOther).map(({ name }) => name);
  return unitsOf(shape).filter(
    (unit) => owns(changed, unit) && (field === null || unit.members.includes(field)),
  );
}

/** The value of a field before a run: the first candidate that its record proves, or one that nothing speaks against. */
export function earlierOf(
  unit: Unit,
  step: RecordedStep,
  candidates: readonly Candidate[],
  shape: SpecShape,
  secret: string,
): Earlier {
  const judged = candidates.map((of) => ({ of, had: judge(unit, step, of, shape, secret) }));
  const proved = judged.find(({ had }) => had === "yes");
  // What remit found first need not be what stood there before this run.
  const possible = judged.find(({ of, had }) => had === "unknown" && of.origin.as === "commit");
  if (proved !== undefined) return { unit, of: proved.of, isProved: true };
  return { unit, of: possible?.of ?? null, isProved: false };
}

function judge(unit: Unit, { fields }: RecordedStep, of: Candidate, shape: SpecShape, secret: string) {
  if (of.owned !== null && !owns(of.owned, unit)) return "no";
  const shown = normalise(of.fields, shape);
  const recorded = new Map(fields.map((field) => [field.name, field]));
  const isAnyUnknown = unit.members.some((name) => recorded.get(name)?.before === "unknown");
  const verdicts = unit.members.map((name) => {
    // A member of a choice that the record does not name was not chosen.
    const field = recorded.get(name) ?? { before: isAnyUnknown ? "unknown" : null };
    const had = [of.fields, shown].map((values) => hadBefore(field, values[name], secret));
    return had.includes("yes") ? "yes" : (had[0] ?? "no");
  });
  if (verdicts.includes("no")) return "no";
  return verdicts.includes("unknown") ? "unknown" : "yes";
}

/** How a sentence names a run. */
export function named({ run, at }: Pick<RunRecord, "run" | "at">): string {
  return `the run ${run} of ${at.slice(0, 10)}`;
}
