import type { Named } from "../kinds/named.js";
import { type IdInApp, referable } from "../kinds/referable.js";
import type { Target } from "../schema/shape.js";
import type { Reader } from "./remote.js";

/** Finds objects of one sort by their ids: what is asked for at one moment is read with as few calls as possible. */
export interface Together {
  /** Undefined where the service does not show the object. */
  find(pointed: IdInApp): Promise<Named | undefined>;
}

/** Over the search for ids of that sort. Its reads only add names, so a failed one does not end the run. */
export function makeTogether(of: Target, reader: Reader): Together {
  const { list, noun } = referable(of);
  const search = list?.byId ?? null;
  const waiting = new Map<string, IdInApp>();
  let reading: Promise<ReadonlyMap<string, Named>> | null = null;

  async function read(): Promise<ReadonlyMap<string, Named>> {
    // Everything that the caller asks for now is asked for before this goes on.
    await Promise.resolve();
    reading = null;
    const wanted = [...waiting].sort(([one], [other]) => (one < other ? -1 : 1));
    waiting.clear();
    const found = new Map<string, Named>();
    if (list === null || search === null) return found;
    for (let at = 0; at < wanted.length; at += search.most) {
      const some = wanted.slice(at, at + search.most);
      const call = search.call(some.map(([, pointed]) => pointed));
      const rows = await reader.all(noun.many, call, "optional");
      if (rows.as !== "got") return found;
      for (const row of rows.value)
        for (const [place, { app, id }] of some) {
          const one = list.row(row, app);
          if (one?.id === id) found.set(place, one);
        }
    }
    return found;
  }

  return {
    async find(pointed) {
      const place = `${pointed.app}/${pointed.id}`;
      waiting.set(place, pointed);
      reading ??= read();
      return (await reading).get(place);
    },
  };
}
