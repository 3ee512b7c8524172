import { isLoopback } from "../../model/loopback.js";

/** Who sent a request, as far as that is known. */
export interface Visitor {
  /** The client that the request's token stands for; empty where there is none. */
  readonly client: string;
  /** Whether the request comes from this machine. */
  readonly isLocal: boolean;
}

/** Whether an address is this machine's own. */
export function isLocal(address: string | undefined): boolean {
  return address !== undefined && (address === "::1" || /^(::ffff:)?127\./.test(address));
}

/**
 * Whether a `Host` header names the sandbox: as this machine, as the address that the connection came to, or as
 * the operator named it. A page in a browser of this machine reaches it by any name that its own site resolves to this machine.
 */
export function isAddressed(header: string | undefined, local: string | undefined, host: string): boolean {
  const name = (header ?? "").replace(/:\d{1,5}$/, "").toLowerCase();
  const bare = name.replace(/^\[(.*)\]$/, "$1");
  return (
    isLoopback(name) ||
    bare === local?.replace(/^::ffff:/, "") ||
    (bare !== "" && bare === host.toLowerCase())
  );
}
