import { isLoopback } from "../../model/loopback.js";
import { isLocal } from "../http/exchange.js";

/** What is known of who asks something of the sandbox itself. */
export interface Caller {
  /** The address that the connection comes from. */
  readonly address: string | undefined;
  /** The `Host`, `Origin` and `Authorization` headers. */
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
}

/**
 * Why a caller gets no answer from the sandbox itself; null where there is one. A web page of another site reaches this
 * machine through a reader's browser: by its own name that resolves to this machine, or as a foreign origin.
 */
export function refusalOf(
  caller: Caller,
  token: string | undefined,
): { status: 401 | 403; message: string } | null {
  const { address, host = "", origin, authorization } = caller;
  if (!isLocal(address)) return { status: 403, message: "Only this machine may ask." };
  if (!isLoopback(host.replace(/:\d{1,5}$/, "").toLowerCase()))
    return { status: 403, message: "The Host must be localhost, 127.0.0.1 or [::1]." };
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    return { status: 403, message: "A page of another origin may not ask." };
  if (token !== undefined && authorization !== `Bearer ${token}`)
    return { status: 401, message: "The sandbox has a token of its own: send it as Authorization: Bearer." };
  return null;
}
