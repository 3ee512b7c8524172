import type { TextForm } from "../schema/shape.js";
import { boundNodesOf } from "./cel.js";
import { ENVIRONMENTS, type EnvironmentName } from "./environments.js";
import { type ExpressionFault, readExpression } from "./expressions.js";
import { typedLanguage } from "./typedLanguage.js";
import { typeFaults } from "./typeFaults.js";
import { undeclaredNames, unknownFunctions } from "./unknownNames.js";

/** All that is wrong with the expression of a field: its syntax; else its names and the types of its values. */
export function expressionFaults(text: string, environment: EnvironmentName): readonly ExpressionFault[] {
  const { parsed, fault } = readExpression(text, typedLanguage(environment));
  if (fault !== null) return [fault];
  const nodes = boundNodesOf(parsed.ast);
  return [
    ...undeclaredNames(nodes, text, environment),
    ...unknownFunctions(nodes, text),
    ...typeFaults(parsed, nodes, text.trimEnd(), environment),
  ];
}

/** The environment of the expression of a field. */
export function environmentOf({
  environment,
}: Extract<TextForm, { readonly is: "expression" }>): EnvironmentName {
  if (!Object.hasOwn(ENVIRONMENTS, environment)) throw new Error(`${environment} is not an environment`);
  return environment as EnvironmentName;
}
