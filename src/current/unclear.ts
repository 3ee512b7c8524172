import type { Kind } from "../kinds/kind.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Key } from "../model/key.js";

/** Several objects are what a resource without an id describes. */
export function unclear({ noun }: Pick<Kind, "noun">, keys: readonly Key[]): Diagnostic {
  const ids = keys.map((key) => key.at(-1) ?? "").sort();
  return {
    code: "reference/ambiguous",
    severity: "error",
    message: `${keys.length} ${noun.many} of the app could be meant`,
    hint: `Write the id of the right one: ${ids.join(", ")}.`,
  };
}
