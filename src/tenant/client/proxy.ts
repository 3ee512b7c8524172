import { isLoopback } from "../../model/loopback.js";
import { Secret } from "../../model/secret.js";

/** The proxies of a run, and the hosts that are reached without one, as `no_proxy` lists them. */
export interface Proxies {
  /** For https addresses. */
  readonly https: Secret | null;
  /** For http addresses. */
  readonly http: Secret | null;
  /** For an address that has none of these. */
  readonly all: Secret | null;
  readonly exempt: string;
}

/** A run without proxies. */
export const NO_PROXIES: Proxies = { https: null, http: null, all: null, exempt: "" };

/** The proxy for a URL, or null for going straight; this machine is always reached straight. */
export function findProxy(address: string, { https, http, all, exempt }: Proxies): string | null {
  const url = new URL(address);
  if (isLoopback(url.hostname)) return null;
  const proxy = (url.protocol === "https:" ? https : http) ?? all;
  if (proxy === null || isExempt(url, exempt)) return null;
  const text = proxy.reveal();
  return text.includes("://") ? text : `http://${text}`;
}

/** The secret parts of a proxy's address: its user with the password, and the password alone. */
export function secretsIn(proxy: string | null): readonly Secret[] {
  if (proxy === null) return [];
  const { username, password } = new URL(proxy);
  if (username === "" && password === "") return [];
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  return [`${user}:${pass}`, pass === "" ? user : pass].map((text) => new Secret(text));
}

/**
 * Why the proxy that is named for a URL cannot be used, without a word of its address; null where it can, or there is
 * none.
 */
export function proxyProblem(address: string, proxies: Proxies): string | null {
  const proxy = findProxy(address, proxies);
  if (proxy === null) return null;
  if (!URL.canParse(proxy)) return "it is not a URL";
  const { protocol, username, password } = new URL(proxy);
  if (protocol !== "http:" && protocol !== "https:") return "it is spoken to neither by http nor by https";
  return isEncoded(username) && isEncoded(password)
    ? null
    : "a % in its user or its password encodes nothing";
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether `no_proxy` names the host: `*`, a host, or the end of one with a leading dot, each with or without a port.
 */
function isExempt(url: URL, list: string): boolean {
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*") return true;
      const [, name = "", only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (only !== undefined && only !== port) return false;
      const host = name.replace(/^\*?\./, "");
      return url.hostname === host || url.hostname.endsWith(`.${host}`);
    });
}
