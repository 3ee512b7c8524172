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
  const { ids = {}, ...rest } = call;
  const chosen = (segment: Segment): string => {
    if (typeof segment === "string") return segment;
    const { reply, of } = segment;
    const id =
      of === undefined ? (valueAt(replies.at(-1), reply) ?? key?.at(-1)) : valueAt(replies[of], reply);
    if (typeof id === "string" && id !== "") return id;
    throw unsendable(call, "the reply before it names no id");
  };
  const isFull = call.path.every((segment) => typeof segment === "string");
  if (isFull && call.ids === undefined) return call;
  const filled = Object.entries(ids).map(([name, of]) => [name, isList(of) ? of.map(chosen) : chosen(of)]);
  return {
    ...rest,
    path: call.path.map(chosen),
    ...(filled.length > 0 && { body: { ...call.body, ...Object.fromEntries(filled) } }),
  };
}

function isList(ids: Segment | readonly Segment[]): ids is readonly Segment[] {
  return Array.isArray(ids);
}
