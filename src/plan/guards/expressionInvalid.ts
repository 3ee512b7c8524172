import { kindOf } from "../../kinds/kindOf.js";
import { expressionFault } from "../../manifest/expressions.js";
import { undeclaredNames, unknownFunctions } from "../../manifest/unknownNames.js";
import { isObject, type Json } from "../../model/json.js";
import type { Shape, SpecShape } from "../../schema/shape.js";
import type { Step } from "../step.js";

/** What is wrong with the expressions that a step writes and that the object did not have before; null for nothing. */
export function expressionInvalid({ before, after, address }: Step): string | null {
  if (after === null) return null;
  const faults = faultsIn(before ?? undefined, after, kindOf(address).shape, []);
  return faults.length === 0 ? null : faults.join("; ");
}

function faultsIn(
  before: Json | undefined,
  after: Json | undefined,
  shape: Shape | SpecShape,
  path: readonly string[],
): readonly string[] {
  if (after === undefined || after === null) return [];
  if (shape.type === "string") {
    if (shape.form.is !== "expression" || typeof after !== "string" || after === "" || after === before)
      return [];
    const name = path.join(".");
    const fault = expressionFault(after);
    if (fault?.severity === "error") return [`${name} is not CEL: ${fault.message}`];
    const unknown = unknownFunctions(after).filter(({ severity }) => severity === "error");
    return [...undeclaredNames(after), ...unknown].map(
      ({ message, hint }) => `${name} is refused: ${message}. ${hint}`,
    );
  }
  if (shape.type !== "object" || !isObject(after)) return [];
  const had = isObject(before ?? null) ? before : undefined;
  return [...shape.fields].flatMap(([name, field]) =>
    faultsIn(isObject(had) ? had[name] : undefined, after[name], field, [...path, name]),
  );
}
