import { describe, expect, it } from "vitest";
import { chanceOf, makeRandom } from "../../../src/sandbox/faults/chance.js";

/** How many of the numbers fall into each tenth. */
function tenths(numbers: readonly number[]): readonly number[] {
  return Array.from(
    { length: 10 },
    (_, tenth) => numbers.filter((each) => Math.floor(each * 10) === tenth).length,
  );
}

const COUNT = 10_000;

describe("chance", () => {
  it("by a seed is the same stream each time, and another by another", () => {
    const stream = (seed: number) => {
      const random = makeRandom(seed);
      return Array.from({ length: 5 }, () => random());
    };
    expect(stream(7)).toEqual(stream(7));
    expect(stream(7)).not.toEqual(stream(8));
  });

  it("by a seed and a text does not depend on what was asked before", () => {
    const first = chanceOf(1, "POST /a 1");
    chanceOf(1, "POST /b 1");
    expect(chanceOf(1, "POST /a 1")).toBe(first);
    expect(chanceOf(2, "POST /a 1")).not.toBe(first);
  });

  it.each<[string, (place: number) => number]>([
    [
      "of one stream",
      (
        (random) => () =>
          random()
      )(makeRandom(1)),
    ],
    ["of counted requests", (place) => chanceOf(1, `POST /api/v1/apps ${place}`)],
    ["of many paths", (place) => chanceOf(1, `POST /api/v1/apps/${place}/resource_types 1`)],
    ["of many seeds", (place) => chanceOf(place, "POST /api/v1/apps 1")],
  ])("is spread evenly: %s", (_, draw) => {
    for (const count of tenths(Array.from({ length: COUNT }, (_, place) => draw(place)))) {
      expect(Math.abs(count - COUNT / 10)).toBeLessThan(120);
    }
  });
});
