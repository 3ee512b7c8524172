import type { TextForm } from "../schema/shape.js";
import { ENVIRONMENTS, type EnvironmentName } from "./environments.js";
import { type ExpressionFault, expressionFault } from "./expressions.js";
import { typeFaults } from "./typeFaults.js";
import { undeclaredNames, unknownFunctions } from "./unknownNames.js";

/** All that is wrong with the expression of a field: its syntax; else its names and the types of its values. */
export function expressionFaults(text: string, environment: EnvironmentName): readonly ExpressionFault[] {
  const fault = expressionFault(text);
  if (fault !== undefined) return [fault];
  return [...undeclaredNames(text, environment), ...unknownFunctions(text), ...typeFaults(text, environment)];
}

/** The environment of the expression of a field. */
export function environmentOf({
  environment,
}: Extract<TextForm, { readonly is: "expression" }>): EnvironmentName {
  if (!Object.hasOwn(ENVIRONMENTS, environment)) throw new Error(`${environment} is not an environment`);
  return environment as EnvironmentName;
}
