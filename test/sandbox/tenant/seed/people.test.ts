import fc from "fast-check";
import { expect, test } from "vitest";
import { ID } from "../../../../src/sandbox/tenant/identity.js";
import { peopleRows } from "../../../../src/sandbox/tenant/seed/population.js";
import { cases } from "../../../fakes/cases.js";

const shapes = fc.record({
  count: fc.integer({ min: 1, max: 400 }),
  seed: fc.integer({ min: 0, max: 1000 }),
});

test("the same numbers make the same people, as many as are asked for, each with an id of its own", () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const people = peopleRows(shape);
      expect(people).toEqual(peopleRows(shape));
      expect(people).toHaveLength(shape.count);
      expect(new Set(people.map(({ id }) => id)).size).toBe(shape.count);
      expect(new Set(people.map(({ email }) => email)).size).toBe(shape.count);
      expect(people.every(({ id }) => ID.test(id))).toBe(true);
    }),
    { numRuns: cases(20, 50) },
  );
});

test("everyone but the first has a manager, and every chain of managers ends with the first", () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const people = peopleRows(shape);
      const managers = new Map(people.map((row) => [row.id, (row.managerIds as readonly string[])[0]]));
      for (const [id] of managers) {
        const passed = new Set<string>();
        let at: string | undefined = id;
        let last = id;
        while (at !== undefined && !passed.has(at)) {
          passed.add(at);
          last = at;
          at = managers.get(at);
        }
        expect([at, last]).toEqual([undefined, people[0]?.id]);
      }
    }),
    { numRuns: cases(20, 50) },
  );
});

test("another seed makes other people, and a larger company begins with the same", () => {
  const people = peopleRows({ count: 200 });
  expect(peopleRows({ count: 200, seed: 2 })).not.toEqual(people);
  const grown = peopleRows({ count: 300 }).slice(0, 200);
  expect(grown.map(({ email }) => email)).toEqual(people.map(({ email }) => email));
});
