import type { Interface } from "../../src/kinds/interface.js";
import type { Call, Segment } from "../../src/model/call.js";
import type { Json } from "../../src/model/json.js";
import { valueAt } from "../../src/model/path.js";
import { TENANT, visit } from "../sandbox/visit.js";

/** Sends calls in turn and gives the bodies of their replies. */
export type Talk = (calls: readonly Call[]) => readonly Json[];

const isList = (ids: Segment | readonly Segment[]): ids is readonly Segment[] => Array.isArray(ids);

/** Talks to the inside of a new sandbox; throws where a write is refused, or a reply is not what a call expects. */
export function talkTo(spoken: Interface): Talk {
  const service = visit({ tenant: { ...TENANT, open: true }, spoken });
  service.turn({ signatures: true });
  return (calls) => {
    const replies: Json[] = [];
    const filled = (segment: Segment) => {
      if (typeof segment === "string") return segment;
      const given = segment.of === undefined ? replies : replies.slice(segment.of, segment.of + 1);
      return given.flatMap((reply) => valueAt(reply, segment.reply) ?? []).at(-1) ?? null;
    };
    for (const { path, method, body, ids = {}, effect, expects } of calls) {
      const segments = path.map(filled);
      const own = Object.entries(ids).map(([name, of]) => [name, isList(of) ? of.map(filled) : filled(of)]);
      const reply = service.ask(method, `/${segments.join("/")}`, {
        ...body,
        ...Object.fromEntries(own),
      });
      if (effect !== "read" && reply.status !== 200)
        throw new Error(`${method} ${segments.join("/")}: ${JSON.stringify(reply.body)}`);
      if (reply.status === 200 && expects !== undefined && valueAt(reply.body, expects) === undefined)
        throw new Error(`${method} ${segments.join("/")} is answered without ${expects.join(".")}`);
      replies.push(reply.body);
    }
    return replies;
  };
}
