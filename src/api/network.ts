import type { Transmit } from "../model/exchange.js";
import type { Environment } from "../model/variables.js";
import { findProxy, proxyProblem } from "./proxy.js";
import { makeTransport, type Transport, type TransportOptions } from "./transport.js";

/** Where the proxies are named, and how requests are sent. */
export interface NetworkOptions extends Omit<TransportOptions, "proxy"> {
  readonly env: Environment;
}

/** Sends requests to any server, through the proxy that the environment names for it. */
export function makeNetwork({ env, ...options }: NetworkOptions): Transmit {
  const transports = new Map<string, Transport>();
  return (message, signal) => {
    const { origin } = new URL(message.url);
    const known = transports.get(origin);
    if (known !== undefined) return known.transmit(message, signal);
    if (proxyProblem(message.url, env) !== null)
      return Promise.resolve({ as: "lost", sent: false, untrusted: false, code: "EPROXY" });
    const made = makeTransport({ ...options, proxy: findProxy(message.url, env) });
    transports.set(origin, made);
    return made.transmit(message, signal);
  };
}
