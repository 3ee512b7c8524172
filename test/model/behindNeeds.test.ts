import fc from "fast-check";
import { expect, it } from "vitest";
import { behindNeeds } from "../../src/model/behindNeeds.js";

/** The same order, by a way that a long chain of needs would overflow. */
function recursively(count: number, needs: readonly (readonly number[])[]): readonly number[] {
  const placed = new Set<number>();
  const open = new Set<number>();
  const place = (item: number) => {
    if (placed.has(item) || open.has(item)) return;
    open.add(item);
    for (const need of needs[item] ?? []) place(need);
    placed.add(item);
  };
  for (let item = 0; item < count; item += 1) place(item);
  return [...placed];
}

it("places each item behind those that it needs, rings included", () => {
  const graph = fc
    .integer({ min: 1, max: 8 })
    .chain((count) => fc.array(fc.array(fc.nat(count - 1)), { minLength: count, maxLength: count }));
  fc.assert(
    fc.property(graph, (needs) => {
      const items = needs.map((_, item) => item);
      expect(behindNeeds(items, (item) => needs[item] ?? [])).toEqual(recursively(items.length, needs));
    }),
    { numRuns: 500 },
  );
});

it("follows a chain of needs as long as a plan", () => {
  const items = Array.from({ length: 50_000 }, (_, item) => item);
  expect(behindNeeds(items, (item) => (item + 1 < items.length ? [item + 1] : []))).toEqual(
    items.toReversed(),
  );
});
