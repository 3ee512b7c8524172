import type { Explained } from "../../diff/cause.js";
import type { Change } from "../../diff/change.js";
import { placeOf } from "../../diff/kept.js";
import type { Span } from "../../model/diagnostic.js";
import { isObject, type Json, same } from "../../model/json.js";
import { type Meanings, parseReference } from "../../model/meaning.js";
import { valueAt } from "../../model/path.js";
import type { Desired } from "../../tenant/known.js";
import type { FieldChange } from "../step.js";

/** Changes with the place that an author edits: of a named value, the file of values. */
export function placed(found: readonly Explained[], desired: Desired): readonly FieldChange[] {
  return found.map(({ change, cause }) => ({ change, cause, span: spanOf(change, desired), edit: null }));
}

function spanOf(change: Change, { resource, meanings }: Desired): Span {
  const path = ["spec", ...placeOf(change)];
  const { span } = resource.place(path, "origin");
  const [first] = change.type === "set" ? change.added : [];
  const authored = valueAt(resource.spec, change.path);
  // A list of the manifest itself is one place; a shared list is long, and its file has a line for the new item.
  if (first === undefined || !Array.isArray(authored) || span.file === resource.file) return span;
  const at = authored.findIndex((item) => isMeant(item, first, meanings));
  return at < 0 ? span : resource.place([...path, at], "origin").span;
}

/** Whether what an author wrote means a value: the same, or with names of what has its ids. */
function isMeant(authored: Json, value: Json, meanings: Meanings): boolean {
  if (same(authored, value)) return true;
  if (!isObject(authored)) return false;
  if (isObject(value))
    return Object.keys(value).every((name) => isMeant(authored[name] ?? null, value[name] ?? null, meanings));
  return Object.entries(meanings).some(([spelling, id]) => {
    const name = id === value ? parseReference(spelling) : undefined;
    return name !== undefined && authored[name.by] === name.text;
  });
}
