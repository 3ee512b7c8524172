/**
 * Items with each one behind those that it needs, and otherwise as they are; a ring starts at the first of them. `needsOf` is
 * asked once for each item.
 */
export function behindNeeds<Item>(
  items: readonly Item[],
  needsOf: (item: Item) => readonly Item[],
): readonly Item[] {
  const placed = new Set<Item>();
  const entered = new Set<Item>();
  // A stack, because a chain of needs may be as long as a plan.
  const waiting = [...items].reverse();
  for (let item = waiting.at(-1); item !== undefined; item = waiting.at(-1)) {
    const needs = entered.has(item) ? [] : needsOf(item);
    entered.add(item);
    const open = needs.filter((one) => !entered.has(one));
    if (open.length === 0) {
      waiting.pop();
      placed.add(item);
    } else waiting.push(...open.reverse());
  }
  return [...placed];
}
