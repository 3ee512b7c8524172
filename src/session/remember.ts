import type { Client } from "../api/client.js";
import type { Call, Reply } from "../model/call.js";
import { canonical, type Json } from "../model/json.js";

/**
 * The same client, which answers a read that was answered before without sending it again. What is checked with it is
 * checked against exactly what was read.
 */
export function remembering(client: Client): Client {
  const replies = new Map<string, Reply>();
  const lists = new Map<string, readonly (readonly Json[])[]>();
  return {
    ...client,
    async send(call, options) {
      const known = call.effect === "read" ? replies.get(nameOf(call)) : undefined;
      if (known !== undefined) return known;
      const reply = await client.send(call, options);
      if (call.effect === "read") replies.set(nameOf(call), reply);
      return reply;
    },
    async *pages(call, options) {
      const known = lists.get(nameOf(call));
      if (known !== undefined) return yield* known;
      const pages: (readonly Json[])[] = [];
      let isCut = false;
      const asked = options?.goesOn;
      const goesOn = () => {
        isCut = asked?.() === false;
        return !isCut;
      };
      for await (const page of client.pages(call, asked === undefined ? options : { ...options, goesOn })) {
        pages.push(page);
        yield page;
      }
      if (!isCut) lists.set(nameOf(call), pages);
    },
  };
}

function nameOf({ method, path, query = {}, body = {} }: Call): string {
  return canonical({
    method,
    path: path.map((segment) => (typeof segment === "string" ? segment : "")),
    query,
    body,
  });
}
