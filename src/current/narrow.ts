import type { Kind, Observed } from "../kinds/kind.js";
import type { Reader } from "./remote.js";
import type { Seen } from "./world.js";

/** An object that was not found by its description, and those that it may be under another name. */
type Absent = Extract<Seen, { readonly as: "absent" }>;

/**
 * Leaves out what cannot be the object of a manifest without an id. Every parent has some objects from its first moment,
 * another manifest means some, and several parents have some under one id. One search finds the last of them.
 */
export async function narrow(
  kind: Kind,
  absent: readonly Absent[],
  isTaken: (observed: Observed) => boolean,
  reader: Reader,
): Promise<ReadonlyMap<Absent, Absent>> {
  const isOpen = (one: Observed) => kind.isBuiltIn?.(one) !== true && !isTaken(one);
  const open = absent.map((seen) => [seen, (seen.beside ?? []).filter(isOpen)] as const);
  const shared = await sharedAmong(
    kind,
    open.flatMap(([, beside]) => beside),
    reader,
  );
  return new Map(
    open.map(([seen, beside]) => [
      seen,
      { as: "absent", beside: beside.filter(({ key }) => !shared.has(key.at(-1) ?? "")) },
    ]),
  );
}

/** The ids among those of some objects that several parents have; none where the service does not say. */
async function sharedAmong(
  { name, reads: { parents } }: Kind,
  objects: readonly Observed[],
  reader: Reader,
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(objects.map(({ key }) => key.at(-1) ?? ""))].sort();
  if (parents === undefined || ids.length === 0) return new Set();
  const fetched = await reader.all(name, parents.of(ids), "optional");
  if (fetched.as !== "got") return new Set();
  const byId = new Map<string, Set<string>>();
  for (const row of fetched.value) {
    const key = parents.row(row);
    const id = key?.at(-1);
    if (key === undefined || id === undefined) continue;
    byId.set(id, (byId.get(id) ?? new Set()).add(key.slice(0, -1).join("/")));
  }
  return new Set([...byId].filter(([, all]) => all.size > 1).map(([id]) => id));
}
