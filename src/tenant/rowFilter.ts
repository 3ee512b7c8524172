import { globbed } from "../model/glob.js";
import { isObject, type Json } from "../model/json.js";

/** What a row of a list must show: a field, and a pattern with `*` that its value fits, or does not fit. */
export interface RowCondition {
  readonly field: string;
  readonly fits: boolean;
  readonly pattern: string;
}

/** Chooses rows by what they show, and remembers which fields they had. */
interface RowFilter {
  readonly fits: (row: Json) => boolean;
  /** The fields that no row had, of those that the conditions name. */
  readonly unknown: () => readonly string[];
  /** The names of all fields that rows had, in order. */
  readonly fields: () => readonly string[];
}

/**
 * A filter of rows. A row has its own members and those of the objects in it: a view of an entitlement has the members of
 * the entitlement. A field that a row lacks is an empty text; of a list any member may fit.
 */
export function makeRowFilter(conditions: readonly RowCondition[]): RowFilter {
  const seen = new Set<string>();
  return {
    fits(row) {
      const values = valuesIn(row);
      for (const name of values.keys()) seen.add(name);
      return conditions.every(({ field, fits, pattern }) => {
        const shown = values.get(field) ?? [""];
        return shown.some((text) => globbed(pattern, text)) === fits;
      });
    },
    unknown: () => conditions.map(({ field }) => field).filter((field) => !seen.has(field)),
    fields: () => [...seen].sort(),
  };
}

function valuesIn(row: Json): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, readonly string[]>();
  if (!isObject(row)) return values;
  const inner = Object.values(row)
    .filter(isObject)
    .flatMap((member) => Object.entries(member));
  // The row's own members come last: they win.
  for (const [name, value] of [...inner, ...Object.entries(row)]) {
    const texts = textsOf(value);
    if (texts !== null) values.set(name, texts);
  }
  return values;
}

/** A value as texts; null for an object, which has members of its own. */
function textsOf(value: Json): readonly string[] | null {
  if (Array.isArray(value)) {
    const texts = value.flatMap((item) => (isText(item) ? [String(item)] : []));
    return texts.length === value.length ? (texts.length === 0 ? [""] : texts) : null;
  }
  return isObject(value) ? null : [value === null ? "" : String(value)];
}

function isText(value: Json): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
