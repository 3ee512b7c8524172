import { type Change, isUnknown, touches } from "../../diff/change.js";
import { compare } from "../../diff/compare.js";
import { divideKept } from "../../diff/kept.js";
import type { Span } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject, same } from "../../model/json.js";
import { formatPath, type Path, valueAt } from "../../model/path.js";
import type { Planned } from "../../plan/plan.js";
import { changesSinceApply } from "../../plan/record/driftedFrom.js";
import { isDriftAlone } from "../../plan/saved/showsAll.js";
import { deedOf, type Step } from "../../plan/step.js";
import { type SpecShape, shapeAt } from "../../schema/shape.js";
import { compareWords } from "../text/changedWords.js";
import type { Difference, FieldReport } from "./report.js";
import { choiceSentence } from "./words/choice.js";
import { type Names, showValue } from "./words/values.js";

/** What changes in each field of a step; for a delete, all that is removed. */
export function describeFields(
  step: Step,
  shape: SpecShape,
  plan: Pick<Planned, "names" | "interface">,
): readonly FieldReport[] {
  const shown = shownOf(step, plan.names);
  if (step.action === "delete") return deletedFields(step, shape, shown);
  const changed = step.changes.flatMap(({ change, cause, span, edit }) => {
    const about = { cause, edit, ...writtenIn(span, step.managed.span) };
    const fields = isUnknown(change)
      ? [{ path: formatPath(change.path), ...about, difference: overUnknown(change, step, shape, shown) }]
      : describeChange(change, about, shape, shown);
    return isOverUnseen(step) || isNewInRecord(step, cause, plan) ? fields.map(overUnseen) : fields;
  });
  const own = deedOf(step) === "create" ? createOnlyFields(step, shape, shown) : [];
  return [...own, ...changed, ...acceptedFields(step, shape, shown)];
}

/** Every difference of two objects of one shape, without ids: what is not said of a plan is empty. */
export function differencesOf(
  before: JsonObject,
  after: JsonObject,
  shape: SpecShape,
): readonly FieldReport[] {
  return compare(before, after, shape).flatMap((change) =>
    describeChange(change, UNEXPLAINED, shape, { names: {}, before, after }),
  );
}

/** What values are shown with: the names of ids, and the object around them, which may say in which app an id is. */
interface Shown {
  readonly names: Names;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

function shownOf({ managed: { identity }, before, after }: Step, names: Names): Shown {
  return { names, before: { ...before, ...identity }, after: { ...after, ...identity } };
}

/** The object that contains what stands at a path; empty where that is a list. */
function holderAt(object: JsonObject, path: Path): JsonObject {
  const holder = valueAt(object, path.slice(0, -1));
  return isObject(holder) ? holder : {};
}

/** Where a value is written: its line, and its file where that is not the manifest's. */
function writtenIn(span: Span | null, manifest: Span | null): Pick<FieldReport, "line" | "file"> {
  if (span === null) return { line: null, file: null };
  return { line: span.start.line, file: span.file === manifest?.file ? null : span.file };
}

/** Whether a step writes an object of which nothing is known, not even that it is new. */
function isOverUnseen({ before, key, sight: { unseen } }: Step): boolean {
  return before === null && key !== null && unseen !== null && unseen !== "may exist";
}

/** Whether a field of an object that only the record shows was not managed before; a create wrote every field. */
function isNewInRecord(
  step: Step,
  cause: FieldReport["cause"],
  { interface: { kinds } }: Pick<Planned, "interface">,
): boolean {
  const isRecorded = kinds[step.address.kind]?.source === "recorded";
  return cause === "first" && isRecorded && step.before !== null && deedOf(step) !== "create";
}

/** How a value before looks of which nothing is known. */
const NOT_KNOWN: readonly (string | null)[] = [null, "(unknown)"];

/** A field with no known value before: it had neither nothing nor zero items. */
function overUnseen(field: FieldReport): FieldReport {
  const { difference } = field;
  if (difference.type === "set")
    return difference.kept === 0 && difference.removed.length === 0
      ? { ...field, difference: { ...difference, kept: null } }
      : field;
  if (difference.type !== "value" || !NOT_KNOWN.includes(difference.before)) return field;
  return { ...field, difference: { ...difference, before: "(not seen)" } };
}

/** All that a delete removes. What the tenant changed since the last apply is shown as that change. */
function deletedFields(step: Step, shape: SpecShape, shown: Shown): readonly FieldReport[] {
  const drifts = changesSinceApply(step, shape);
  const others = compare(step.before ?? {}, {}, shape).filter((change) => !touches(drifts, change));
  return [
    ...drifts.flatMap((change) => describeChange(change, DRIFTED, shape, shown)),
    ...others.flatMap((change) => describeChange(change, UNEXPLAINED, shape, shown)),
  ];
}

const DRIFTED = { cause: "drifted", edit: null, line: null, file: null } as const;

/** What the tenant changed and the manifest accepts: no call changes it. */
function acceptedFields(step: Step, shape: SpecShape, shown: Shown): readonly FieldReport[] {
  const { after, changes } = step;
  const { driftedFrom } = step.recorded;
  const { owned } = step.managed;
  if (driftedFrom === null || after === null || isDriftAlone(step)) return [];
  const made = changes.map(({ change }) => change);
  return divideKept(driftedFrom, after, owned, shape)
    .differs.filter((change) => !touches(made, change))
    .flatMap((change) => describeChange(change, ACCEPTED, shape, shown));
}

const ACCEPTED = { cause: "accepted", edit: null, line: null, file: null } as const;

/** A value that is not known, and what the write makes of it. */
function overUnknown({ path }: Change, { after }: Step, shape: SpecShape, shown: Shown): Difference {
  const [wanted, here] = [valueAt(after ?? {}, path), shapeAt(shape, path)];
  const isUnset = wanted === undefined || here === undefined || compare(undefined, wanted, here).length === 0;
  const value = isUnset ? "(unset)" : showValue(wanted, here, shown.names, holderAt(shown.after, path));
  return { type: "value", before: "(unknown)", after: value };
}

/** What only the create sets, as it is sent. */
function createOnlyFields(
  { managed: { identity, createOnlySpans, span } }: Step,
  shape: SpecShape,
  shown: Shown,
): readonly FieldReport[] {
  return shape.createOnly.flatMap((name) => {
    const after = identity[name];
    if (after === undefined) return [];
    const written = writtenIn(createOnlySpans[name] ?? null, span);
    const about = { cause: "first", edit: null, ...written } as const;
    return describeChange({ type: "value", path: [name], before: null, after }, about, shape, shown);
  });
}

const UNEXPLAINED = { cause: null, edit: null, line: null, file: null } as const;

function describeChange(
  change: Change,
  about: Pick<FieldReport, "cause" | "edit" | "line" | "file">,
  shape: SpecShape,
  shown: Shown,
): readonly FieldReport[] {
  return leavesOf(change, shape).map((leaf) => {
    const path = leaf.type === "choice" ? [...leaf.path, leaf.to ?? leaf.from ?? leaf.group] : leaf.path;
    return { path: formatPath(path), ...about, difference: differenceOf(leaf, shape, shown) };
  });
}

/** A choice that appears or disappears is shown by its content; a switch to another member stays one change. */
function leavesOf(change: Change, shape: SpecShape): readonly Change[] {
  if (change.type !== "choice" || (change.from !== null && change.to !== null)) return [change];
  const path: Path = [...change.path, change.to ?? change.from ?? change.group];
  const member = shapeAt(shape, path);
  const { before, after } = change;
  const leaves = member === undefined ? [] : compare(before, after, member, path);
  const held = leaves.flatMap((leaf) => leavesOf(leaf, shape));
  return held.length > 0 ? held : [{ type: "value", path, before, after }];
}

function differenceOf(change: Change, shape: SpecShape, shown: Shown): Difference {
  const { names } = shown;
  const here = shapeAt(shape, change.path);
  const was = holderAt(shown.before, change.path);
  const is = holderAt(shown.after, change.path);
  switch (change.type) {
    case "value":
      return {
        type: "value",
        before: showValue(change.before, here, names, was),
        after: showValue(change.after, here, names, is),
      };
    case "text": {
      const { before, after } = change;
      const words = before === null || after === null ? null : compareWords(before, after);
      return words === null ? { type: "value", before, after } : { type: "text", words };
    }
    case "set": {
      const item = here?.type === "list" ? here.item : undefined;
      const show = (items: readonly Json[], holder: JsonObject) =>
        items.map((one) => showValue(one, item, names, holder) ?? "null").sort();
      const { before, added, removed } = change;
      return {
        type: "set",
        added: show(added, is),
        removed: show(removed, was),
        kept: before.length - removed.length,
      };
    }
    case "choice": {
      const { from, to, group, before, after, path } = change;
      const held = (member: string | null, value: Json, holder: JsonObject) =>
        member === null || same(value, {})
          ? null
          : showValue(value, shapeAt(shape, [...path, member]), names, holder);
      return {
        type: "choice",
        sentence: choiceSentence({
          group: nameOf(group),
          to: choiceName(to, group),
          from: choiceName(from, group),
        }),
        before: held(from, before, was),
        after: held(to, after, is),
      };
    }
    default:
      return change satisfies never;
  }
}

/** A reader's name for a choice; an unknown one has the name of its group. */
function choiceName(member: string | null, group: string): string {
  return member === group ? "a choice that remit does not know" : (member ?? "nothing");
}

/** A reader's name for a group: `users` of `users_scope`. */
function nameOf(group: string): string {
  return group.replace(/_scope$/, "").replaceAll("_", " ");
}
