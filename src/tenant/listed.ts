import type { Kind, Observed } from "../kinds/kind.js";
import { targetOf } from "../kinds/referable.js";
import type { Origin } from "./origin.js";

/**
 * The objects of a kind that no app has, by their ids, where a look read their list anyway; null where it did not. It asks
 * nothing more.
 */
export async function listedOf(
  kind: Kind,
  { directory, reader }: Pick<Origin, "directory" | "reader">,
): Promise<ReadonlyMap<string, Observed> | null> {
  const { list } = kind.reads;
  const target = targetOf(kind);
  const [read] = directory.listsOf(kind).values();
  if (read !== undefined) return byId(read);
  const isNamed = target !== undefined && directory.whole(target).size > 0;
  if (reader === null || list === undefined || !isNamed) return null;
  // The names were found in the same list, which the reader has read.
  const rows = await reader.all(kind.name, list.of([]));
  return rows.as === "got" ? byId(rows.value.flatMap((row) => list.row(row, []) ?? [])) : null;
}

function byId(observed: readonly Observed[]): ReadonlyMap<string, Observed> {
  return new Map(observed.map((one) => [one.key.at(-1) ?? "", one]));
}
