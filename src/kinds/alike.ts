import { type Address, formatAddress } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Kind } from "./kind.js";
import { referable } from "./referable.js";
import { nameField } from "./spelling.js";

/** What two objects share that one description fits: `the same app and the same displayName`. */
export function sharedByAlike({ shape }: Pick<Kind, "shape">): string {
  const parents = shape.identity.slice(0, -1).map((name) => {
    const field = shape.fields.get(name);
    return field?.type === "string" && field.form.is === "id" ? referable(field.form.of).noun.one : name;
  });
  const all = [...parents, nameField({ shape })].map((what) => `the same ${what}`);
  return [all.slice(0, -1).join(", "), all.at(-1) ?? ""].filter((part) => part !== "").join(" and ");
}

/** Where the siblings of an object are, behind their noun; empty for objects of the whole tenant. */
export function ofItsParent({ shape }: Pick<Kind, "shape">): string {
  return shape.identity.length > 1 ? " of the app" : "";
}

/** What the keys of a kind name: two manifests for one of these are one too many. */
export function keyedAs({ name, holds }: Pick<Kind, "name" | "holds">): string {
  return holds?.kind ?? name;
}

/** The address of a manifest, and its kind. */
interface AddressOfKind {
  readonly kind: Pick<Kind, "name" | "noun" | "holds">;
  readonly address: Address;
}

/** What is wrong with two manifests of different kinds that share a key; null where they are of one kind. */
export function sameByParts(
  one: AddressOfKind,
  other: AddressOfKind,
): Pick<Diagnostic, "message" | "hint"> | null {
  if (one.kind.name === other.kind.name) return null;
  const [whole, part] = one.kind.holds === undefined ? [other, one] : [one, other];
  const [name, owner] = [part, whole].map(({ address }) => formatAddress(address));
  return {
    message: `${name} is the ${whole.kind.holds?.noun ?? part.kind.noun.one} of ${owner}`,
    hint: `Remove the manifest of the ${part.kind.noun.one}: the ${whole.kind.noun.one} manages it.`,
  };
}
