import { Buffer } from "node:buffer";
import type { Call, Segment } from "../../model/call.js";
import { pendingAddress } from "../../model/pending.js";
import { unsendable } from "./error.js";

/** A call as it goes on the wire: encoded once, however often it is sent. */
interface Outgoing {
  readonly method: Call["method"];
  readonly url: string;
  readonly body: string | undefined;
}

/** The most the service reads of a request's body. */
export const LARGEST_BODY = 4 * 1024 * 1024;

/** Encodes a call for a server; throws for one that must not leave the program. */
export function makeOutgoing(call: Call, server: string): Outgoing {
  const path = call.path.map((segment) => encodeSegment(segment, call)).join("/");
  const query = call.query === undefined ? "" : new URLSearchParams(call.query).toString();
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  const bytes = body === undefined ? 0 : Buffer.byteLength(body);
  if (bytes > LARGEST_BODY) {
    const size = (bytes / 1024 / 1024).toFixed(2);
    throw unsendable(call, `its body is ${size} MiB (${bytes} bytes), and the service reads 4 MiB at most`);
  }
  return { method: call.method, url: `${server}/${path}${query === "" ? "" : `?${query}`}`, body };
}

function encodeSegment(segment: Segment, call: Call): string {
  if (typeof segment !== "string") throw unsendable(call, "its path waits for an earlier reply");
  if (segment.trim() === "") throw unsendable(call, "an id in its path is empty");
  if (segment === "." || segment === "..") {
    throw unsendable(call, `${JSON.stringify(segment)} in its path would lead elsewhere`);
  }
  if (pendingAddress(segment) !== null) throw unsendable(call, `${segment} is not known yet`);
  if (/\p{Surrogate}/u.test(segment)) throw unsendable(call, "an id in its path is not valid text");
  return encodeURIComponent(segment);
}
