import { type Environment, readVariable } from "../../model/variables.js";
import type { Proxies } from "../../tenant/client/proxy.js";
import { give, type Receiver } from "./give.js";

/** Only the operator names a proxy: the password of its address is for itself. */
const PROXY: Receiver = { shown: "the proxy", namedBy: "operator", namedIn: null };

/** The proxies that the environment names. */
export function proxiesFrom(env: Environment): Proxies {
  return {
    https: give(env, "HTTPS_PROXY", PROXY).value,
    http: give(env, "HTTP_PROXY", PROXY).value,
    all: give(env, "ALL_PROXY", PROXY).value,
    exempt: readVariable(env, "NO_PROXY") ?? "",
  };
}
