import { unsendable } from "../api/error.js";
import type { Call, Segment } from "../model/call.js";
import type { Json } from "../model/json.js";
import type { Key } from "../model/key.js";
import { valueAt } from "../model/path.js";

/**
 * A call whose path is completed with the ids that the service chose. They come from the reply before it or, if that
 * was lost, from the key of the object that was found. Throws an `ApiError` when neither has one.
 */
export function fill(call: Call, reply: Json | undefined, key: Key | null): Call {
  if (call.path.every((segment) => typeof segment === "string")) return call;
  const chosen = (segment: Segment): string => {
    if (typeof segment === "string") return segment;
    const id = valueAt(reply, segment.reply) ?? key?.at(-1);
    if (typeof id === "string" && id !== "") return id;
    throw unsendable(call, "the reply before it names no id");
  };
  return { ...call, path: call.path.map(chosen) };
}
