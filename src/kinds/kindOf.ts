import type { Address } from "../model/address.js";
import type { Kind } from "./kind.js";

/** Finds the kind of an address; an address of no kind is a bug by then. */
export type KindOf = (address: Address) => Kind;

/** Looks kinds up by name. */
export function kindFinder(kinds: readonly Kind[]): KindOf {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  return ({ kind }) => {
    const found = byName.get(kind);
    if (found === undefined) throw new Error(`no kind ${kind}`);
    return found;
  };
}
