import type { Client } from "../api/client.js";
import type { Call, Reply } from "../model/call.js";
import { canonical } from "../model/json.js";
import { type Packed, packed, unpacked } from "./packed.js";

/**
 * The same client, which answers a read that was answered before without sending it again. What is checked with it is
 * checked against exactly what was read.
 */
export function remembering(client: Client): Client {
  const replies = new Map<string, Reply>();
  const lists = new Map<string, readonly Packed[]>();
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
      const name = nameOf(call);
      const known = lists.get(name);
      if (known !== undefined) {
        for (const page of known) yield unpacked(page);
        return;
      }
      const pages: Packed[] = [];
      let isCut = false;
      const asked = options?.goesOn;
      const goesOn = () => {
        isCut = asked?.() === false;
        return !isCut;
      };
      for await (const page of client.pages(call, asked === undefined ? options : { ...options, goesOn })) {
        pages.push(packed(page));
        yield page;
      }
      if (!isCut) lists.set(name, pages);
    },
  };
}

/** A call as one text. A text that is joined is held flat; one that is added up, as each of its parts. */
function nameOf({ method, path, query = {}, body = {} }: Call): string {
  const segments = path.map((segment) => (typeof segment === "string" ? segment : ""));
  return [method, JSON.stringify(segments), canonical(query), canonical(body)].join(" ");
}
