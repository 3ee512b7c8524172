import type { Address } from "../../model/address.js";

const collator = new Intl.Collator("en", { numeric: true });

/** The order of addresses for a reader: by kind, then by name, in which `row-2` stands before `row-10`. */
export function naturally(one: Address, other: Address): number {
  return collator.compare(one.kind, other.kind) || collator.compare(one.name, other.name);
}
