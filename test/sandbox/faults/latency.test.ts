import { describe, expect, it } from "vitest";
import { delayOf } from "../../../src/sandbox/faults/plan.js";

describe("a latency", () => {
  it("may be fixed", () => {
    expect([0, 0.5, 0.99].map((draw) => delayOf({ fault: "latency", milliseconds: 20 }, draw))).toEqual([
      20, 20, 20,
    ]);
  });

  it("may be even between two bounds", () => {
    const even = [0, 0.5, 1].map((draw) => delayOf({ fault: "latency", between: [10, 200] }, draw));
    expect(even).toEqual([10, 105, 200]);
  });

  it("may have a median and a long tail, and no end without bounds", () => {
    const at = (draw: number) => delayOf({ fault: "latency", median: 40, p99: 900 }, draw);
    expect(at(0.5)).toBeCloseTo(40);
    expect(at(0.99) / 900).toBeCloseTo(1, 1);
    expect(at(0)).toBeGreaterThan(0);
    expect(at(1)).toBeLessThan(20_000);
  });
});
