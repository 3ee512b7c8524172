import type { Named } from "../kinds/named.js";
import { type IdInApp, referable } from "../kinds/referable.js";
import type { Target } from "../schema/shape.js";
import { type Candidates, makeCandidates } from "./candidates.js";
import type { Reader } from "./remote.js";
import { makeTogether, type Together } from "./together.js";

/** One thing of a sort that an id points at. */
export interface PointedAt extends IdInApp {
  readonly of: Target;
}

/** The names of the tenant, for ids: whole lists, each read once. What cannot be read has no names. */
export interface Catalogue {
  /** Everything of a sort; null where its list was not read to the end, or leaves something out. */
  every(of: Target, app: string): Promise<Candidates | null>;
  /** What an id points at, by a list or by its own read; undefined where the service does not say. */
  find(pointed: PointedAt): Promise<Named | undefined>;
}

/** A catalogue over a reader. Its reads only add names, so a failed one does not end the run. */
export function makeCatalogue(reader: Reader): Catalogue {
  const lists = new Map<string, Promise<Candidates | null>>();
  const singles = new Map<string, Promise<Named | undefined>>();
  const searches = new Map<Target, Together>();

  async function readList(of: Target, app: string): Promise<Candidates | null> {
    const { list, noun } = referable(of);
    // A search shows one name, and a row without a name is found by none.
    if (list === null || list.shows === "one name" || list.one !== null) return null;
    if (list.within === "app" && app === "") return null;
    const rows = await reader.all(noun.many, list.call(app, ""), "optional");
    return rows.as === "got" ? makeCandidates(rows.value.flatMap((row) => list.row(row, app) ?? [])) : null;
  }

  async function readSingle({ of, app, id }: PointedAt): Promise<Named | undefined> {
    const { list, noun } = referable(of);
    if (list?.byId != null) return together(of).find({ app, id });
    if (list === null || list.one === null) return undefined;
    const fetched = await reader.one(noun.many, list.one.call(id), "optional");
    return fetched.as === "got" ? list.one.read(fetched.value) : undefined;
  }

  /** The objects of a sort that are asked for one by one and read together. */
  function together(of: Target): Together {
    const known = searches.get(of) ?? makeTogether(of, reader);
    searches.set(of, known);
    return known;
  }

  function every(of: Target, app: string): Promise<Candidates | null> {
    const place = `${of}:${app}`;
    const read = lists.get(place) ?? readList(of, app);
    lists.set(place, read);
    return read;
  }

  return {
    every,
    async find(pointed) {
      const listed = await every(pointed.of, pointed.app);
      if (listed !== null) return listed.withId(pointed.id);
      const place = `${pointed.of}:${pointed.id}`;
      const read = singles.get(place) ?? readSingle(pointed);
      singles.set(place, read);
      return read;
    },
  };
}
