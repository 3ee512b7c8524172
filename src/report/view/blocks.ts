import { behindNeeds } from "../../model/behindNeeds.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { groupBy } from "../../model/groupBy.js";
import type { Difference, FieldReport, StepReport } from "../plan/report.js";
import { labelOf, remarksAt } from "../plan/words/labels.js";
import { tally } from "../plan/words/tally.js";
import { gapsOf, generalised } from "../text/generalised.js";
import { many } from "../text/layout.js";
import { type Filters, filtersOf } from "./filters.js";
import { type StepView, stepView } from "./step.js";

/** What of a plan stands together. */
export type Block = Alone | Rows | Records;

/** Steps that stand together. */
interface Together {
  /** What all of it has in common, as one step. */
  readonly face: StepView;
  readonly filters: Filters;
  readonly steps: readonly StepReport[];
}

/** One step, and those that are blocked because it is. */
export interface Alone extends Together {
  readonly as: "step";
  readonly needing: readonly StepReport[];
}

/** Rows that differ in nothing but their own values: what they have in common as one step of each shape, and a line for each row. */
export interface Rows extends Together {
  readonly as: "rows";
  readonly shapes: readonly StepView[];
  readonly rows: readonly ShapeRow[];
}

/** A row of one or more shapes: its name, what it changes of its own, and what it means for people. */
export interface ShapeRow {
  readonly name: string;
  readonly values: readonly string[];
  readonly people: readonly string[];
  readonly place: StepReport["place"];
  readonly steps: readonly StepReport[];
}

/** Steps that only record something, and differ in nothing but their addresses. */
export interface Records extends Together {
  readonly as: "alike";
  readonly all: readonly StepView[];
  /** What their notes say: one of each code, with how many objects have it. */
  readonly notes: readonly Diagnostic[];
}

/** How many steps some blocks have, and what they come to. */
export function countsOf(blocks: readonly Block[]): { readonly steps: number; readonly counts: string } {
  const steps = blocks.flatMap((block) => block.steps);
  return { steps: steps.length, counts: tally(steps, 0) };
}

/** The blocks whose rows have several parts that change together. */
export function groupsIn(blocks: readonly Block[]): readonly Rows[] {
  return blocks.filter((block): block is Rows => block.as === "rows" && block.shapes.length > 1);
}

/** What stands before the steps that are blocked only because of another one. */
export function needingTitle(count: number): string {
  return `and ${count} that ${count === 1 ? "needs" : "need"} it`;
}

/** Steps in the order of reading: causes before their consequences, rows of one shape together, those that differ before them. */
export function blocksOf(steps: readonly StepReport[]): readonly Block[] {
  const consequences = consequencesIn(steps);
  const causes = causesFirst(steps.filter((step) => !consequences.has(step)));
  const needing = groupBy([...consequences], ([, cause]) => cause);
  const units = unitsOf(causes);
  return joined(units).flatMap((all): readonly Block[] => {
    const [[step, ...others] = []] = all;
    if (step === undefined) return [];
    if (isAlike([step, ...others])) return [recordsOf([step, ...others], step)];
    if (others.length > 0) return [rowsOf(all, step)];
    const own = (needing.get(step) ?? []).map(([one]) => one);
    return [{ as: "step", ...faceOf(step), steps: [step, ...own], needing: own }];
  });
}

/** The steps that are blocked only because another one is, each with that one. */
function consequencesIn(steps: readonly StepReport[]): ReadonlyMap<StepReport, StepReport> {
  const blocked = new Map(steps.flatMap((one) => (one.action === "blocked" ? [[one.address, one]] : [])));
  const causeOf = ({ needs }: StepReport) => needs.map((need) => blocked.get(need)).find((one) => one);
  const isOwn = ({ diagnostics }: StepReport) => diagnostics.some(({ severity }) => severity === "error");
  const found = new Map<StepReport, StepReport>();
  for (const step of blocked.values()) {
    const seen = new Set([step]);
    let cause = step;
    for (let next: StepReport | undefined = step; next !== undefined && !isOwn(next); ) {
      next = causeOf(next);
      if (next === undefined || seen.has(next)) break;
      seen.add(next);
      cause = next;
    }
    if (cause !== step) found.set(step, cause);
  }
  return found;
}

/** The same steps: what a step needs stands before it. */
function causesFirst(steps: readonly StepReport[]): readonly StepReport[] {
  const byAddress = new Map(steps.map((step) => [step.address, step]));
  return behindNeeds(steps, ({ needs }) => needs.flatMap((need) => byAddress.get(need) ?? []));
}

/** The name of a shape and of its row in an address: `Kind/shape[row]`; null for a manifest of its own. */
function rowIn(address: string): { readonly shape: string; readonly row: string } | null {
  const [, shape = "", row = ""] = /^(.*)\[([^[\]]+)\]$/.exec(address) ?? [];
  return shape === "" ? null : { shape, row };
}

/** The steps that stand together, those that stand alone as one. A row that differs from its shape stands before it. */
function unitsOf(steps: readonly StepReport[]): readonly (readonly StepReport[])[] {
  const places = new Map(steps.map((step, at) => [step, at]));
  const units = [
    ...groupBy(steps, (step) => {
      if (isRecord(step)) return JSON.stringify([labelOf(step), step.reason]);
      const named = rowIn(step.address);
      return named === null || step.renamedFrom !== null
        ? String(places.get(step))
        : signatureOf(step, named);
    }).values(),
  ].flatMap((all) => (isAlike(all) || !all.some(isRecord) ? [all] : all.map((one) => [one])));
  const first = new Map<string, number>();
  const rank = new Map(units.map((unit, at) => [unit, at]));
  for (const [at, unit] of units.entries()) {
    const shape = rowIn(unit[0]?.address ?? "")?.shape;
    if (shape === undefined) continue;
    if (unit.length > 1 && !first.has(shape)) first.set(shape, at);
    else if (unit.length === 1 && first.has(shape)) rank.set(unit, (first.get(shape) ?? at) - 0.5);
  }
  return units.toSorted((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
}

/** Up to this many steps that only record something are shown one by one, if they are not adopted. */
const FEW = 3;

function isAlike(steps: readonly StepReport[]): boolean {
  const [step] = steps;
  return step !== undefined && isRecord(step) && (labelOf(step) === "adopt" || steps.length > FEW);
}

/** Units whose rows have the same names are one block. */
function joined(units: readonly (readonly StepReport[])[]): readonly (readonly (readonly StepReport[])[])[] {
  const namesOf = (unit: readonly StepReport[]) => unit.map(({ address }) => rowIn(address)?.row ?? address);
  const places = new Map(units.map((unit, at) => [unit, at]));
  return [
    ...groupBy(units, (unit) => {
      const isRows = unit.length > 1 && !isAlike(unit);
      return isRows ? JSON.stringify(namesOf(unit).toSorted()) : String(places.get(unit));
    }).values(),
  ];
}

/** What two rows of a shape have in common, if they differ in nothing but their own values. */
function signatureOf(
  step: StepReport,
  { shape, row }: { readonly shape: string; readonly row: string },
): string {
  const { reason, risk, isDrift, staysActive, fields, givenBack, kept, needs, diagnostics } = step;
  const withoutRow = (text: string) => text.replaceAll(`[${row}]`, "[…]");
  return JSON.stringify([
    shape,
    labelOf(step),
    [reason, risk, isDrift, staysActive, givenBack, remarksAt("below", step), kept],
    fields.map(({ path, cause, edit, difference }) => [path, cause, edit?.commit, kindOfChange(difference)]),
    needs.map(withoutRow),
    diagnostics.map(({ code, severity }) => [code, severity]),
    step.people === null,
  ]);
}

function kindOfChange(difference: Difference): unknown {
  switch (difference.type) {
    case "value":
      return [difference.before === null, difference.after === null];
    case "text":
      return difference.words.map(({ as, text }) => (as === "same" ? as : [as, text]));
    case "set":
      return difference;
    case "choice":
      return [difference.sentence, difference.before === null, difference.after === null];
    default:
      return difference satisfies never;
  }
}

/** What a step is as one line; several that stand together have a name of their own, and no place. */
function faceOf(step: StepReport, name?: string): Pick<Together, "face" | "filters"> {
  const face = stepView(step);
  const named = name === undefined ? face : { ...face, address: name, name, place: null };
  return { face: named, filters: filtersOf(step) };
}

function recordsOf(steps: readonly StepReport[], first: StepReport): Records {
  const isOne = steps.length === 1;
  const face = isOne ? faceOf(first) : faceOf({ ...first, title: "" }, many(steps.length, "object"));
  return { as: "alike", ...face, steps, all: steps.map(stepView), notes: notesOf(steps) };
}

function notesOf(steps: readonly StepReport[]): readonly Diagnostic[] {
  const noted = steps.flatMap(({ address, diagnostics }) => diagnostics.map((note) => ({ address, note })));
  return [...groupBy(noted, ({ note }) => note.code).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : ` and ${many(others.length, "other")}`;
    return [{ ...first.note, message: `${first.address}${more}: ${first.note.message}` }];
  });
}

function rowsOf(units: readonly (readonly StepReport[])[], one: StepReport): Rows {
  const steps = units.flat();
  const rows = groupBy(steps, ({ address }) => rowIn(address)?.row ?? address);
  const inside = new Set(steps.map(({ address }) => rowIn(address)?.shape));
  const isInside = (need: string) => inside.has(rowIn(need)?.shape);
  const common = units.flatMap((unit) => shapeOf(unit, isInside));
  const own = new Map(
    units.flatMap((unit, at) => {
      const fields = ownFields(unit);
      return unit.map((step) => [step, ownValues(step, fields, common[at])] as const);
    }),
  );
  const [first = one] = common;
  return {
    as: "rows",
    ...faceOf(first, common.map(({ address }) => address).join(", ")),
    shapes: common.map(stepView),
    rows: [...rows].map(([name, all]) => ({
      name,
      values: [...new Set(all.flatMap((step) => own.get(step) ?? []))].filter(
        (value) => !name.includes(value),
      ),
      people: [...new Set(all.flatMap(({ people }) => (people === null ? [] : [people.brief])))],
      place: placeIn(all),
      steps: all,
    })),
    steps,
  };
}

/** What the rows of one shape have in common, as a step. */
function shapeOf(unit: readonly StepReport[], isInside: (need: string) => boolean): readonly StepReport[] {
  const [first] = unit;
  if (first === undefined) return [];
  const shape = rowIn(first.address)?.shape ?? first.address;
  return [
    {
      ...first,
      address: `${unit.length} × ${shape}[…]`,
      title: generalised(unit.map(({ title }) => title)),
      fields: first.fields.map((field, at) =>
        fieldOf(
          field,
          unit.flatMap(({ fields }) => fields[at] ?? []),
        ),
      ),
      people: null,
      calls: [],
      needs: first.needs.filter((need) => !isInside(need)),
      diagnostics: first.diagnostics.map((one) => ({
        ...one,
        message: `${first.address} and ${unit.length - 1} more: ${one.message}`,
      })),
    },
  ];
}

function fieldOf(first: FieldReport, all: readonly FieldReport[]): FieldReport {
  const differences = all.map(({ difference }) => difference);
  const isOne = all.every(({ line, file }) => line === first.line && file === first.file);
  return {
    ...first,
    ...(isOne ? {} : { line: null }),
    difference: differenceOf(first.difference, differences),
  };
}

function differenceOf(first: Difference, all: readonly Difference[]): Difference {
  const sides = (side: "before" | "after") => {
    const texts = all.flatMap((one) => ("before" in one && one[side] !== null ? [one[side]] : []));
    return texts.length === 0 ? null : generalised(texts);
  };
  switch (first.type) {
    case "value":
    case "choice":
      return { ...first, before: sides("before"), after: sides("after") };
    case "text":
      return {
        type: "text",
        words: first.words.map((word, at) => ({
          ...word,
          text: generalised(all.flatMap((one) => (one.type === "text" ? (one.words[at]?.text ?? []) : []))),
        })),
      };
    case "set":
      return first;
    default:
      return first satisfies never;
  }
}

/** Which fields of a shape have another value in each row. */
function ownFields(unit: readonly StepReport[]): readonly boolean[] {
  const [first] = unit;
  return (first?.fields ?? []).map(({ difference: one }, at) =>
    unit.some(({ fields }) => {
      const other = fields[at]?.difference;
      if (one.type !== "value" || other?.type !== "value") return false;
      return other.before !== one.before || other.after !== one.after;
    }),
  );
}

/** Of a row, what each of its fields changes from one value of its own to another, or what is its own in what it makes or ends. */
function ownValues(
  { fields }: StepReport,
  own: readonly boolean[],
  shape: StepReport | undefined,
): readonly string[] {
  return fields.flatMap(({ difference }, at) => {
    if (own[at] !== true || difference.type !== "value") return [];
    const { before, after } = difference;
    if (before !== null && after !== null) return [`${before} → ${after}`];
    const common = shape?.fields[at]?.difference;
    const side = common?.type === "value" ? (common.before ?? common.after ?? "") : "";
    return gapsOf(side, before ?? after ?? "").filter((one) => one !== "" && one.length <= LONGEST_OWN);
  });
}

/** A longer text does not tell rows apart. */
const LONGEST_OWN = 40;

/** Where the values of a row are written: the line of its list, or else its manifest. */
function placeIn(steps: readonly StepReport[]): StepReport["place"] {
  for (const { fields } of steps)
    for (const { file, line } of fields) if (file !== null && line !== null) return { file, line };
  return null;
}

/** Whether a step only records something, and has nothing else to say. */
function isRecord(step: StepReport): boolean {
  const { action, renamedFrom, fields, givenBack, kept, diagnostics: told, needs } = step;
  // A note asks for nothing, so many objects that only match say it once.
  const diagnostics = action === "adopt" ? told.filter(({ severity }) => severity !== "note") : told;
  const records = (action === "adopt" && renamedFrom === null) || action === "forget" || action === "removed";
  return (
    records &&
    [fields, givenBack, remarksAt("below", step), kept, diagnostics, needs].every((list) => list.length === 0)
  );
}
