import { say } from "../../words/say.js";
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
  return say(isMissing ? "yaml/name#absent" : "yaml/name#form", {}, { range });
}

/** A name that its map already has. */
export function duplicateName(name: string, range: Range, first: Range): ValueFault {
  const related = { message: `${name} is first written here`, range: first };
  return say(REPEATED, { name }, { range, related });
}

/** A `<<` whose value is not a map. */
export function notMergeable(range: Range): ValueFault {
  return say("yaml/merge", {}, { range });
}

/** An alias that no anchor before it gives a value. */
export function noAnchor(name: string, range: Range): ValueFault {
  return say("yaml/alias#unknown", { name }, { range });
}

/** An alias inside the very value it stands for. */
export function aliasInItself(name: string, range: Range): ValueFault {
  return say("yaml/alias#inside", { name }, { range });
}

/** Aliases of aliases that expand to too many values. */
export function aliasBomb(range: Range): ValueFault {
  return say("yaml/alias-bomb", { most: MOST_UNFOLDED }, { range });
}
