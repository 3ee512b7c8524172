import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { Secret } from "../../model/secret.js";
import { type Environment, readSecret, readVariable, type SecretName } from "../../model/variables.js";
import type { Proxies } from "../../tenant/client/proxy.js";
import { say } from "../../words/say.js";

/** Who named an address: the operator or the reviewed branch, or a file that the author of a change may write. */
export type NamedBy = "operator" | "working tree";

/** Where a secret goes, and who named that place. */
export interface Receiver {
  /** As messages name it: without user and password. */
  readonly shown: string;
  readonly namedBy: NamedBy;
  /** Where the operator can name it; null where only the operator can. */
  readonly namedIn: string | null;
  /** Whether others can read on the way what is sent. */
  readonly isClear?: boolean;
}

/** A secret that is used here, and sent to no one. */
export const THIS_MACHINE: Receiver = { shown: "this machine", namedBy: "operator", namedIn: null };

/** The code of credentials that wait for the operator to confirm their server. */
export const UNCONFIRMED = "credentials/unconfirmed-server";

/** Only the operator names a proxy: the password of its address is for itself. */
const PROXY: Receiver = { shown: "the proxy", namedBy: "operator", namedIn: null };

/**
 * The secret of a variable for one receiver. This is the one place that gives out secrets of the environment: a store, a
 * client and a command get them from here. Null where the variable is not set; with an error where the receiver must
 * not have it.
 */
export function give(env: Environment, name: SecretName, to: Receiver): Checked<Secret | null> {
  const text = readSecret(env, name);
  if (text === undefined) return { value: null, diagnostics: [] };
  const why = withheld(name, to);
  return why === null ? { value: new Secret(text), diagnostics: [] } : { value: null, diagnostics: [why] };
}

/** Why a receiver gets no secret; null where it may have it. `what` is how messages call the secret. */
export function withheld(
  what: string,
  { shown, namedBy, namedIn, isClear = false }: Receiver,
): Diagnostic | null {
  if (namedBy === "working tree") return say(UNCONFIRMED, { shown, what, namedIn: namedIn ?? "" });
  if (isClear) return say("credentials/clear-text", { shown, what });
  return null;
}

/** The proxies that the environment names. */
export function proxiesFrom(env: Environment): Proxies {
  return {
    https: give(env, "HTTPS_PROXY", PROXY).value,
    http: give(env, "HTTP_PROXY", PROXY).value,
    all: give(env, "ALL_PROXY", PROXY).value,
    exempt: readVariable(env, "NO_PROXY") ?? "",
  };
}
