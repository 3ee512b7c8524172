import type { Diagnostic } from "../../model/diagnostic.js";
import type { Json } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import type { Range } from "../parse/marks.js";

/** What to change in a document. Paths lead from the document's root; a row and a member are named by what holds them. */
export type Operation =
  /** Another value in the place of one that is written. Of prose, line breaks at the end do not count. */
  | { readonly do: "set"; readonly path: Path; readonly value: Json; readonly isProse: boolean }
  | {
      readonly do: "rows";
      readonly path: Path;
      /** Places in the list as it is written. */
      readonly removed: readonly number[];
      readonly added: readonly Json[];
    }
  | {
      readonly do: "members";
      readonly path: Path;
      readonly removed: readonly string[];
      readonly added: readonly Member[];
    }
  /** Another member in the place of one, such as another choice of a one-of group. */
  | { readonly do: "swap"; readonly path: Path; readonly from: string; readonly to: Member };

/** A name and its value. */
export interface Member {
  readonly name: string;
  readonly value: Json;
}

/** Another text for a stretch of a file. */
export interface Replaced {
  readonly range: Range;
  readonly text: string;
}

/** Why a stretch of a file cannot be edited. */
export interface Hindrance extends Diagnostic {
  readonly range: Range;
}

/**
 * A text with some stretches replaced; all else stays byte for byte. No two of them overlap. A text without a line break at
 * its end keeps having none.
 */
export function edited(text: string, edits: readonly Replaced[]): string {
  const inOrder = edits
    .map((edit, at) => ({ ...edit, at }))
    .sort(
      (one, other) => one.range[0] - other.range[0] || one.range[1] - other.range[1] || one.at - other.at,
    );
  let result = "";
  let reached = 0;
  for (const { range, text: instead } of inOrder) {
    if (range[0] < reached) throw new Error("two edits of a file overlap");
    result += text.slice(reached, range[0]) + instead;
    reached = range[1];
  }
  const all = result + text.slice(reached);
  return text.endsWith("\n") ? all : all.replace(/\r?\n$/, "");
}
