import { ofItsParent } from "../../kinds/alike.js";
import type { Kind, Observed } from "../../kinds/kind.js";
import { namedBy } from "../../kinds/referable.js";
import { type Address, formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { say } from "../../words/say.js";
import { inWords } from "./candidates.js";

/** Several objects are what a resource without an id describes. */
export function unclear(kind: Pick<Kind, "noun" | "shape">, objects: readonly Observed[]): Diagnostic {
  return say("reference/ambiguous#unclear", {
    count: objects.length,
    nouns: kind.noun.many,
    kind: ofItsParent(kind),
    objects: inNames(objects),
  });
}

/** A manifest without an id, and the addresses that the state has for the objects of its displayName. */
interface Claim {
  readonly address: Address;
  readonly holders: readonly { readonly holder: Address; readonly isWritten: boolean }[];
}

/** Objects that a manifest without an id may mean, of a kind whose names repeat: only an id says that one is meant. */
export function namesakes(
  { noun, shape }: Pick<Kind, "noun" | "shape">,
  objects: readonly Observed[],
  claim: Claim | null = null,
): Diagnostic {
  const id = shape.identity.at(-1) ?? "";
  const [only, ...others] = objects;
  const isOne = only !== undefined && others.length === 0;
  const [known] = claim?.holders ?? [];
  const about = { code: "plan/namesake", severity: "error" } as const;
  if (isOne && claim !== null && known !== undefined) {
    const [name, holder] = [formatAddress(claim.address), formatAddress(known.holder)];
    const message = `the tenant has one ${noun.one} with this displayName, and it is ${holder} in the state`;
    const hint = known.isWritten
      ? `Give ${name} another displayName, or remove one of the two manifests.`
      : `If ${holder} was renamed, add \`{ from: ${holder}, to: ${name} }\` under \`moved:\` in remit.yaml. To create another one, give it another displayName.`;
    return { ...about, message, hint };
  }
  return {
    ...about,
    message: isOne
      ? `the tenant has one ${noun.one} with this displayName, and the state has no record of it`
      : `the tenant has ${objects.length} ${noun.many} with this displayName, and the state has no record of this one`,
    hint: isOne
      ? `To manage that one, write \`${id}: ${only.key.at(-1) ?? ""}\`. To create another one, give it another displayName.`
      : `To manage one of them, write its \`${id}\`: ${inNames(objects)}. To create another one, give it another displayName.`,
  };
}

/** Objects as a sentence shows them, with their ids. */
export function inNames(objects: readonly Observed[]): string {
  const named = objects.map((one) => namedBy(one) ?? { id: one.key.at(-1) ?? "", name: "" });
  return inWords(named.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
}
