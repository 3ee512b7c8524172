import type { Address } from "../model/address.js";
import { kindNamed } from "./index.js";
import type { Kind } from "./kind.js";

/** The kind of an address; an address of no kind is a bug by then. */
export function kindOf({ kind }: Pick<Address, "kind">): Kind {
  const found = kindNamed(kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  return found;
}
