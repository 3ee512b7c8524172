import type { Named } from "../kinds/named.js";
import { referable } from "../kinds/referable.js";
import type { Target } from "../schema/shape.js";
import type { Reader } from "./remote.js";

/** Finds objects of one sort by their ids: what is asked for at one moment is read with as few calls as possible. */
export interface Together {
  /** Undefined where the service does not show the object. */
  find(id: string): Promise<Named | undefined>;
}

/** Over the search for ids of that sort. Its reads only add names, so a failed one does not end the run. */
export function makeTogether(of: Target, reader: Reader): Together {
  const { list, noun } = referable(of);
  const search = list?.byId ?? null;
  const waiting: string[] = [];
  let reading: Promise<ReadonlyMap<string, Named>> | null = null;

  async function read(): Promise<ReadonlyMap<string, Named>> {
    // Everything that the caller asks for now is asked for before this goes on.
    await Promise.resolve();
    reading = null;
    const ids = [...new Set(waiting.splice(0))].sort();
    const found = new Map<string, Named>();
    if (list === null || search === null) return found;
    for (let at = 0; at < ids.length; at += search.most) {
      const rows = await reader.all(noun.many, search.call(ids.slice(at, at + search.most)), "optional");
      if (rows.as !== "got") return found;
      for (const row of rows.value) {
        const one = list.row(row, "");
        if (one !== undefined) found.set(one.id, one);
      }
    }
    return found;
  }

  return {
    async find(id) {
      waiting.push(id);
      reading ??= read();
      return (await reading).get(id);
    },
  };
}
