import type { IdInApp } from "../../kinds/listing.js";
import type { Named } from "../../kinds/named.js";
import { referable } from "../../kinds/referable.js";
import type { Json } from "../../model/json.js";
import { onceFor } from "../../model/onceFor.js";
import type { Target } from "../../schema/shape.js";
import { makeBatchById } from "../batchById.js";
import type { Reader } from "../reader.js";
import { type Candidates, makeCandidates } from "./candidates.js";

/** One thing of a sort that an id points at. */
export interface PointedAt extends IdInApp {
  readonly of: Target;
}

/** One text for what an id points at. */
export function pointedText({ of, app, id }: Omit<PointedAt, "of"> & { readonly of: string }): string {
  return `${of}:${app}/${id}`;
}

/** The names of the tenant, for ids: whole lists, each read once. What cannot be read has no names. */
export interface Catalogue {
  /** Everything of a sort; null where its list was not read to the end, or leaves something out. */
  every(of: Target, app: string): Promise<Candidates | null>;
  /** What an id points at, by a list or by its own read; undefined where the service does not say. */
  find(pointed: PointedAt): Promise<Named | undefined>;
  /** Whether its own read says that it was deleted; false where it has none, or where that read failed. */
  isGone(pointed: PointedAt): Promise<boolean>;
}

/** What the read of one thing says. */
interface Single {
  readonly named: Named | undefined;
  readonly isGone: boolean;
}

/** A catalogue over a reader. Its reads only add names, so a failed one does not end the run. */
export function makeCatalogue(reader: Reader): Catalogue {
  const lists = new Map<string, Promise<Candidates | null>>();
  const singles = new Map<string, Promise<Single>>();
  /** The objects of a sort that are asked for one by one and read together. */
  const together = onceFor((of: Target) => makeBatchById(of, reader));

  async function readList(of: Target, app: string): Promise<Candidates | null> {
    const { list, noun } = referable(of);
    // A search shows one name, and a row without a name is found by none.
    if (list === null || list.shows === "one name" || list.one !== null) return null;
    if (list.within === "app" && app === "") return null;
    const show = (row: Json) => list.row(row, app);
    const rows = await reader.begin(noun.many, list.call(app, ""), show, () => true, "optional");
    return rows.as === "got" && rows.value !== null ? makeCandidates(rows.value) : null;
  }

  async function readSingle({ of, app, id }: PointedAt): Promise<Single> {
    const { list, noun } = referable(of);
    if (list?.byId != null) return { named: await together(of).find({ app, id }), isGone: false };
    if (list === null || list.one === null) return { named: undefined, isGone: false };
    const fetched = await reader.one(noun.many, list.one.call(id), "optional");
    const named = fetched.as === "got" ? list.one.read(fetched.value) : undefined;
    return { named, isGone: fetched.as === "absent" || (fetched.as === "got" && named === undefined) };
  }

  function single(pointed: PointedAt): Promise<Single> {
    const place = pointedText(pointed);
    const read = singles.get(place) ?? readSingle(pointed);
    singles.set(place, read);
    return read;
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
      return (await single(pointed)).named;
    },
    async isGone(pointed) {
      const { list } = referable(pointed.of);
      return list?.one != null && list.byId == null && (await single(pointed)).isGone;
    },
  };
}
