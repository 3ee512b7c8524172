import type { Path } from "../model/path.js";
import type { Change } from "./change.js";

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
