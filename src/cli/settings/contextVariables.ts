import type { Diagnostic } from "../../model/diagnostic.js";
import {
  type Environment,
  isEmptyVariable,
  isSetVariable,
  renameVariables,
  variablesOf,
} from "../../model/variables.js";
import { say } from "../../words/say.js";
import { CREDENTIAL_VARIABLES } from "../credentials/service.js";

/** How a context came to be the one of a run: alone, or as one of several that the run is about. */
export type Chosen = "alone" | "among several";

/**
 * The environment as a context sees it: its own variables by the names that every project uses. Where it has credentials
 * of its own, no others count, but an identity token that it lacks. Among several contexts, each has only its own.
 */
export function environmentOf(env: Environment, context: string | null, chosen: Chosen): Environment {
  if (context === null) return env;
  const set = variablesOf(context).filter(({ name }) => isSetVariable(env, name));
  const ofClient = set.filter(({ as }) => CREDENTIAL_VARIABLES.includes(as));
  const hidden = new Set<string>(ofClient.length > 0 || chosen !== "alone" ? CREDENTIAL_VARIABLES : []);
  if (chosen !== "alone") hidden.add("REMIT_STATE_KEY");
  const isIdentified = ofClient.some(({ as }) => as !== "REMIT_CLIENT_ID");
  if (chosen === "alone" && !isIdentified)
    for (const name of ["REMIT_OIDC_TOKEN", "REMIT_OIDC_TOKEN_FILE"] as const) hidden.delete(name);
  return renameVariables(env, hidden, set);
}

/** Variables of a context that are set, and empty. */
export function emptyVariables(env: Environment, context: string | null): readonly Diagnostic[] {
  const empty = context === null ? [] : variablesOf(context).filter(({ name }) => isEmptyVariable(env, name));
  return empty.map(({ name }) => say("config/variable#emptyVariables", { name }));
}
