import { expect, test } from "vitest";
import { makeLateness } from "../../../src/api/pace/lateness.js";

test("the first look begins the watch, and a program that was busy was late", async () => {
  const lateness = makeLateness();
  try {
    expect(lateness.read()).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 30));
    const until = performance.now() + 100;
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(lateness.read()).toBeGreaterThan(10);
  } finally {
    lateness.close();
  }
});

test("a watch that was never read can be closed", () => {
  expect(() => makeLateness().close()).not.toThrow();
});
