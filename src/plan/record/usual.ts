import type { ListedPart } from "../../kinds/kind.js";
import { listOf, textOf } from "../../kinds/spelling.js";
import { isObject, type Json } from "../../model/json.js";
import { onceFor } from "../../model/onceFor.js";
import type { Current } from "../../tenant/known.js";

/** What items of a part have for its usual member, among all objects that were read; each value once. */
export function usualIn(
  current: Pick<Current, "objects">,
): (part: Pick<ListedPart, "field" | "usual">) => readonly string[] {
  const known = allItems(current.objects);
  return ({ field, usual }) => known(field, usual);
}

const allItems = onceFor((objects: Current["objects"]) => {
  const found = new Map<string, readonly string[]>();
  return (field: string, member: string): readonly string[] => {
    const name = `${field}.${member}`;
    const values =
      found.get(name) ??
      valuesIn(
        [...objects.values()].flatMap((seen) => (seen.as === "present" ? listOf(seen.fields, field) : [])),
        member,
      );
    found.set(name, values);
    return values;
  };
}, new WeakMap());

/** The values that some items have for a member, each once. */
export function valuesIn(items: readonly Json[], member: string): readonly string[] {
  const values = items.map((item) => (isObject(item) ? textOf(item, member) : ""));
  return [...new Set(values)].filter((value) => value !== "").sort();
}
