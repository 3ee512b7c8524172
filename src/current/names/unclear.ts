import type { Kind, Observed } from "../../kinds/kind.js";
import { namedBy } from "../../kinds/referable.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { inWords } from "./candidates.js";

/** Several objects are what a resource without an id describes. */
export function unclear({ noun }: Pick<Kind, "noun">, objects: readonly Observed[]): Diagnostic {
  return {
    code: "reference/ambiguous",
    severity: "error",
    message: `${objects.length} ${noun.many} of the app could be meant`,
    hint: `Write the id of the right one: ${inNames(objects)}.`,
  };
}

/** Objects as a sentence shows them, with their ids. */
export function inNames(objects: readonly Observed[]): string {
  const named = objects.map((one) => namedBy(one) ?? { id: one.key.at(-1) ?? "", name: "" });
  return inWords(named.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
}
