import type { Transmit } from "../../model/exchange.js";
import { findProxy, type Proxies, proxyProblem } from "./proxy.js";
import { makeTransport, type Transport, type TransportOptions } from "./transport.js";

/** The proxies, and how requests are sent. */
export interface NetworkOptions extends Omit<TransportOptions, "proxy"> {
  readonly proxies: Proxies;
}

/** Sends requests to any server, through the proxy that stands before it. */
export function makeNetwork({ proxies, ...options }: NetworkOptions): Transmit {
  const transports = new Map<string, Transport>();
  return (message, signal) => {
    const { origin } = new URL(message.url);
    const known = transports.get(origin);
    if (known !== undefined) return known.transmit(message, signal);
    if (proxyProblem(message.url, proxies) !== null)
      return Promise.resolve({ as: "lost", sent: false, untrusted: false, code: "EPROXY" });
    const made = makeTransport({ ...options, proxy: findProxy(message.url, proxies) });
    transports.set(origin, made);
    return made.transmit(message, signal);
  };
}
