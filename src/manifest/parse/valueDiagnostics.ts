import type { Range } from "./marks.js";

/** A problem of a document's text or values: a diagnostic whose places are still offsets. */
export interface ValueFault {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly range: Range;
  readonly related?: { readonly message: string; readonly range: Range };
}

/** The most values that one document may contain after its aliases are expanded; real manifests have far fewer. */
export const MOST_UNFOLDED = 100_000;

/** The one problem after which a document can still be read: a name that its map already has. */
export const REPEATED = "yaml/duplicate-name";

/** A member without a name, or one whose name is a list or a map. */
export function badName(range: Range, isMissing: boolean): ValueFault {
  return {
    code: "yaml/name",
    message: isMissing ? "a value without a name before its colon" : "the name of a field is not a text",
    hint: isMissing ? "Write a name before the colon." : "Write a plain name before the colon.",
    range,
  };
}

/** A name that its map already has. */
export function duplicateName(name: string, range: Range, first: Range): ValueFault {
  return {
    code: REPEATED,
    message: `${name} is written twice in the same place`,
    hint: "Remove one of them.",
    range,
    related: { message: `${name} is first written here`, range: first },
  };
}

/** A `<<` whose value is not a map. */
export function notMergeable(range: Range): ValueFault {
  return {
    code: "yaml/merge",
    message: "`<<` can only add the fields of a map",
    hint: "Give it an alias of a map, or a list of such aliases.",
    range,
  };
}

/** An alias that no anchor before it gives a value. */
export function noAnchor(name: string, range: Range): ValueFault {
  return {
    code: "yaml/alias",
    message: `*${name} has no anchor &${name} before it in this document`,
    hint: "Write the anchor above it, or put the text in quotes if it is not an alias.",
    range,
  };
}

/** An alias inside the very value it stands for. */
export function aliasInItself(name: string, range: Range): ValueFault {
  return {
    code: "yaml/alias",
    message: `*${name} is inside the value that it refers to`,
    hint: "Write the value out.",
    range,
  };
}

/** Aliases of aliases that expand to too many values. */
export function aliasBomb(range: Range): ValueFault {
  return {
    code: "yaml/alias-bomb",
    message: `the aliases of this document expand to more than ${MOST_UNFOLDED} values`,
    hint: "Use fewer aliases of values that contain aliases themselves.",
    range,
  };
}
