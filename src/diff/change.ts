import type { Json } from "../model/json.js";
import type { Path } from "../model/path.js";

/** One difference between two normalised values of the same shape; null stands for unset. */
export type Change =
  | { readonly type: "value"; readonly path: Path; readonly before: Json; readonly after: Json }
  /** A text worth a word-by-word comparison: an expression or a description. */
  | {
      readonly type: "text";
      readonly path: Path;
      readonly before: string | null;
      readonly after: string | null;
    }
  | {
      readonly type: "set";
      readonly path: Path;
      readonly before: readonly Json[];
      readonly after: readonly Json[];
      readonly added: readonly Json[];
      readonly removed: readonly Json[];
    }
  /** Another member of a one-of group was chosen; before and after hold the members' values. */
  | {
      readonly type: "choice";
      readonly path: Path;
      readonly group: string;
      readonly from: string | null;
      readonly to: string | null;
      /** Whether the member chosen now restricts nothing. */
      readonly opens: boolean;
      readonly before: Json;
      readonly after: Json;
    };

/**
 * Why a field differs: the manifest changed since the last apply, the tenant did, both did, or remit never applied
 * it. `not kept`: both are as they were, and the service keeps another value than remit sent. `unknown`: the last
 * write of the field got no answer. A field that is given back does not differ: a step names it in `givenBack`.
 */
export type Cause = "edited" | "drifted" | "both" | "first" | "not kept" | "unknown";

/** Whether a change only says that a field is written whose value is not known: it holds neither value. */
export function isUnknown(change: Change): boolean {
  return change.type === "value" && change.before === null && change.after === null;
}

/** Whether one of the changes concerns the same place as this one. */
export function touches(others: readonly Change[], change: Change): boolean {
  return others.some((other) => meet(change, other));
}

/** Whether two changes concern one place: one lies at or inside the other, or both choose in one group. */
function meet(one: Change, other: Change): boolean {
  if (one.type === "choice" && other.type === "choice" && one.path.length === other.path.length) {
    return one.group === other.group && within(one.path, other.path);
  }
  return reach(one).some((a) => reach(other).some((b) => within(a, b) || within(b, a)));
}

function reach(change: Change): readonly Path[] {
  if (change.type !== "choice") return [change.path];
  return [change.from, change.to].flatMap((member) => (member === null ? [] : [[...change.path, member]]));
}

/** A position in a list does not identify an item: keys do, so any two positions may be one item. */
function within(outer: Path, inner: Path): boolean {
  return outer.every(
    (part, at) => part === inner[at] || (typeof part === "number" && typeof inner[at] === "number"),
  );
}
