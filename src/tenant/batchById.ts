import type { IdInApp } from "../kinds/listing.js";
import type { Named } from "../kinds/named.js";
import { referable } from "../kinds/referable.js";
import type { Json } from "../model/json.js";
import type { Target } from "../schema/shape.js";
import type { Reader } from "./reader.js";

/** Finds objects of one sort by their ids: what is asked for at one moment is read with as few calls as possible. */
interface BatchById {
  /** Undefined where the service does not show the object. */
  find(pointed: IdInApp): Promise<Named | undefined>;
}

/** What the reads are for, how much depends on them, and how a row is read; as for names that are only shown where left out. */
interface BatchByIdOptions {
  readonly purpose?: string;
  readonly need?: "optional" | "sparing";
  readonly row?: (row: Json, app: string) => Named | undefined;
}

/** Over the search for ids of that sort. Nothing depends on its reads, so a failed one does not end the run. */
export function makeBatchById(of: Target, reader: Reader, options: BatchByIdOptions = {}): BatchById {
  const { list, noun } = referable(of);
  const search = list?.byId ?? null;
  const { purpose = noun.many, need = "optional", row: rowOf = list?.row } = options;
  const waiting = new Map<string, IdInApp>();
  let reading: Promise<ReadonlyMap<string, Named>> | null = null;

  async function read(): Promise<ReadonlyMap<string, Named>> {
    // Everything that the caller asks for now is asked for before this goes on.
    await Promise.resolve();
    reading = null;
    const wanted = [...waiting].sort(([one], [other]) => (one < other ? -1 : 1));
    waiting.clear();
    const found = new Map<string, Named>();
    if (search === null) return found;
    const batches = Array.from({ length: Math.ceil(wanted.length / search.most) }, (_, at) =>
      wanted.slice(at * search.most, (at + 1) * search.most),
    );
    const all = await Promise.all(
      batches.map((some) => reader.all(purpose, search.call(some.map(([, one]) => one)), need)),
    );
    for (const [at, rows] of all.entries()) {
      if (rows.as !== "got") continue;
      const places = new Map(batches[at]);
      const apps = new Set([...places.values()].map(({ app }) => app));
      for (const row of rows.value)
        for (const app of apps) {
          const one = rowOf?.(row, app);
          const place = `${app}/${one?.id ?? ""}`;
          if (one !== undefined && places.has(place)) found.set(place, one);
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
