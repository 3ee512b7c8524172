import { isLoopback } from "../../model/loopback.js";

/** What a server's address may be beyond `https:` and loopback. */
export interface ServerOptions {
  /** Plain `http:` to another machine: tokens can be read on the way. */
  readonly plain?: boolean;
}

const BARE_HOST = /^(?:[\w-]+(?:\.[\w-]+)+|localhost)(?::\d+)?(?:\/.*)?$/;

/** An address as its user means it: a bare host gets `https://`, and this machine `http://`, as `remit sandbox` serves it. */
export function completeServer(text: string): string {
  if (!BARE_HOST.test(text)) return text;
  const host = text.replace(/[:/].*/s, "");
  return `${isLoopback(host) ? "http" : "https"}://${text}`;
}

/** The server's address without a trailing slash, or what is wrong with it. */
export function checkServer(
  text: string,
  options: ServerOptions = {},
): { readonly server: string } | { readonly problem: string } {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text) || !URL.canParse(text))
    return { problem: "it is not an address such as https://tenant.example" };
  const url = new URL(text);
  // A slash in a password ends the host early, and the token would go to whatever the user is called.
  if (url.username !== "" || url.password !== "" || url.pathname.includes("@")) {
    return { problem: "it holds credentials; give them by environment variables instead" };
  }
  if (url.search !== "" || url.hash !== "")
    return { problem: "it has a query or a fragment; leave them out" };
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return { problem: `${url.protocol} is not a scheme that can be spoken; use https:` };
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname) && options.plain !== true) {
    return {
      problem: "it is plain http to another machine, where the token could be read on the way; use https:",
    };
  }
  return { server: `${url.origin}${url.pathname.replace(/\/+$/, "")}` };
}
