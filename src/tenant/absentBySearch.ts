import type { Kind } from "../kinds/kind.js";
import { formatKey, type Key } from "../model/key.js";
import type { KindRead } from "./kindReads.js";
import type { Reader } from "./reader.js";
import type { Wanted } from "./reads.js";

/** Reads that are left, and the objects that need none because a search shows that they do not exist. */
export interface AbsentBySearch {
  readonly reads: readonly KindRead[];
  readonly absent: readonly Wanted[];
}

/** A search takes a reply that the reads behind it wait for, so it has to make more than a few of them needless. */
const FEWEST = 5;

/**
 * Searches by their keys for objects that nothing remembers, where there are many: those that do not exist need no read
 * of their own. A search that fails spares nothing. Objects that are read at the same time are in it where they take no
 * call more: its rows show their names, too.
 */
export async function absentBySearch(
  kind: Kind,
  { reads, beside }: { readonly reads: readonly KindRead[]; readonly beside: readonly KindRead[] },
  reader: Reader,
  isUnknown: (wanted: Wanted) => boolean,
): Promise<AbsentBySearch> {
  const { search } = kind.reads.existsBy ?? {};
  const unknownIn = (some: readonly KindRead[]) =>
    some.flatMap(({ of, wanted }) => (of === "object" ? wanted.filter(isUnknown) : []));
  const unknown = unknownIn(reads);
  const wanted = keysOf(unknown);
  if (search === undefined || wanted.length < FEWEST) return { reads, absent: [] };
  const room = (search.most - (wanted.length % search.most)) % search.most;
  const keys = [...keysOf(unknownIn(beside)).slice(0, room), ...wanted];
  const batches = Array.from({ length: Math.ceil(keys.length / search.most) }, (_, at) =>
    keys.slice(at * search.most, (at + 1) * search.most),
  );
  const found = await Promise.all(
    batches.map((batch) => reader.all(kind.name, search.call(batch), "sparing")),
  );
  const missing = new Set(
    found.flatMap((fetched) => {
      const rows = fetched.as === "got" ? fetched.value.flatMap((row) => search.row(row) ?? []) : [];
      return rows.flatMap(({ key, exists }) => (exists === false ? [formatKey(kind.name, key)] : []));
    }),
  );
  const absent = unknown.filter(({ name }) => missing.has(name));
  const isSpared = new Set(absent);
  return { reads: reads.filter(({ wanted }) => !wanted.every((one) => isSpared.has(one))), absent };
}

function keysOf(wanted: readonly Wanted[]): readonly Key[] {
  return wanted.flatMap(({ key }) => (key === null ? [] : [key]));
}
