/** Items by a key, in their order; a key stands where its first item does. Node 21 has it as `Map.groupBy`. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groupAt(groups, keyOf(item)).push(item);
  return groups;
}

/** The group of a key, to add to; a key without one gets an empty one. */
export function groupAt<Item, Key>(groups: Map<Key, Item[]>, key: Key): Item[] {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const group: Item[] = [];
  groups.set(key, group);
  return group;
}

/** What stands under names, in the order of these. */
export function inOrder<T>(byName: ReadonlyMap<string, T>): readonly T[] {
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
}
