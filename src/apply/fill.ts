import type { Call, Segment } from "../model/call.js";
import type { Json } from "../model/json.js";
import type { Key } from "../model/key.js";
import { valueAt } from "../model/path.js";
import { unsendable } from "../tenant/client/error.js";

/**
 * A call that is completed with the ids that the service chose. They come from the reply before it, or from the one that the
 * call names. If the one before was lost, they come from the key of the object that was found. Throws an `ApiError` when none
 * of them has one.
 */
export function fill(call: Call, replies: readonly Json[], key: Key | null): Call {
  const { listed, idIn, ...rest } = call;
  const checked = (id: Json | undefined): string => {
    if (typeof id === "string" && id !== "") return id;
    throw unsendable(call, "the reply before it names no id");
  };
  const chosen = (segment: Segment): string => {
    if (typeof segment === "string") return segment;
    const { reply, of } = segment;
    return checked(
      of === undefined ? (valueAt(replies.at(-1), reply) ?? key?.at(-1)) : valueAt(replies[of], reply),
    );
  };
  const isFull = call.path.every((segment) => typeof segment === "string");
  if (isFull && listed === undefined && idIn === undefined) return call;
  const lists = Object.entries(listed ?? {}).map(([name, ids]) => [name, ids.map(chosen)]);
  const made = idIn === undefined ? {} : { [idIn]: checked(key?.at(-1)) };
  const body = { ...call.body, ...made, ...Object.fromEntries(lists) };
  return { ...rest, path: call.path.map(chosen), ...(Object.keys(body).length > 0 && { body }) };
}
