/* The basic values that every command works with. */

export type { Evaluate } from "../impact/evaluate.js";
export { type Address, byAddress, formatAddress, parseAddress, withKey } from "../model/address.js";
export type { Clock, Random } from "../model/clock.js";
export { type Checked, type Diagnostic, hasErrors, type Span, strictly } from "../model/diagnostic.js";
export { globbed, isPattern } from "../model/glob.js";
export { groupBy } from "../model/groupBy.js";
export { isObject, type Json, type JsonObject, parseJson, same } from "../model/json.js";
export type { Key } from "../model/key.js";
export { isLoopback } from "../model/loopback.js";
export { Secret } from "../model/secret.js";
export {
  type Environment,
  gitEnvironment,
  isEmptyVariable,
  isSetVariable,
  mayBeSecret,
  onlyVariable,
  readVariable,
  renameVariables,
  stateFolder,
  VARIABLES,
  type Variable,
  type VariableName,
  variablesOf,
} from "../model/variables.js";
