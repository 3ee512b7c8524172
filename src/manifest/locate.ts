import type { Diagnostic } from "../model/diagnostic.js";
import type { Path } from "../model/path.js";
import type { Problem } from "../schema/shape.js";
import { find, type Marks, membersOf, nameRange, type Range, valueRange } from "./marks.js";
import type { Place } from "./resource.js";
import { placeAt, type Source } from "./source.js";

/** A document as far as places go: its text and where its values stand in it. */
export interface Written {
  readonly source: Source;
  readonly marks: Marks;
}

/** The place a path leads to, of its name or its value; where it is not written, of what would hold it. */
export function locate({ source, marks }: Written, path: Path, on: "name" | "value" = "value"): Place {
  const { index, depth } = find(marks, path);
  const isWritten = depth === path.length;
  return placeAt(source, ...(isWritten && on === "value" ? valueRange(marks, index) : naming(marks, index)));
}

/** A problem as a diagnostic, with its place and those of what it speaks of. */
export function toDiagnostic(written: Written, { path, on, related, ...fault }: Problem): Diagnostic {
  const placed = { ...fault, ...locate(written, path, on) };
  if (related === undefined) return placed;
  return {
    ...placed,
    related: related.map((other) => ({
      message: other.message,
      span: locate(written, other.path, "name").span,
    })),
  };
}

/** What shows a value best in few characters: its name; of an item the item; of a document its first name. */
function naming(marks: Marks, index: number): Range {
  const named = nameRange(marks, index);
  if (named[1] > named[0]) return named;
  if (index > 0) return valueRange(marks, index);
  const [first] = membersOf(marks, 0);
  return first === undefined ? valueRange(marks, 0) : naming(marks, first);
}
