import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDuration, readTimestamp, writeTimestamp } from "../../../src/sandbox/wire/moment.js";

describe("a timestamp", () => {
  test.each([
    ["2025-01-01T00:00:00Z", "2025-01-01T00:00:00Z"],
    ["2025-01-01t00:00:00z", "2025-01-01T00:00:00Z"],
    ["2025-01-01T00:00:00.000Z", "2025-01-01T00:00:00Z"],
    ["2025-01-01T00:00:00.5Z", "2025-01-01T00:00:00.500Z"],
    ["2025-01-01T00:00:00.000120Z", "2025-01-01T00:00:00.000120Z"],
    ["2025-01-01T00:00:00.000000001Z", "2025-01-01T00:00:00.000000001Z"],
    ["2025-01-01T00:00:00-08:00", "2025-01-01T08:00:00Z"],
    ["2024-02-29T23:59:59+00:00", "2024-02-29T23:59:59Z"],
  ])("%s is written %s", (text, written) => {
    expect(readTimestamp(text)).toBe(written);
  });

  test.each([
    "2025-01-01",
    "2025-02-30T00:00:00Z",
    "2025-01-01T24:00:00Z",
    "2025-01-01T00:00:00",
    "0000-01-01T00:00:00Z",
    "2025-01-01 00:00:00Z",
    "",
  ])("%s is none", (text) => {
    expect(readTimestamp(text)).toBeUndefined();
  });

  test("any that was written is read as the same", () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.parse("0001-01-01T00:00:00Z"), max: 253_402_300_799_999 }), (at) => {
        const text = writeTimestamp(at);
        expect(Date.parse(text)).toBe(at);
        expect(readTimestamp(text)).toBe(text);
      }),
    );
  });
});

describe("a duration", () => {
  test.each([
    ["7776000s", "7776000s"],
    ["2592000.000s", "2592000s"],
    ["1.5s", "1.500s"],
    ["0.000001s", "0.000001s"],
    ["1.000000001s", "1.000000001s"],
    [".5s", "0.500s"],
    ["-3s", "-3s"],
    ["-0s", "0s"],
    ["+3s", "3s"],
    ["315576000000s", "315576000000s"],
    ["315576000001s", "range"],
  ])("%s is written %s", (text, written) => {
    expect(readDuration(text)).toBe(written);
  });

  test.each(["1h", "30d", "P90D", "5", "s", ".s", "1.0000000001s", "01s", "1e3s", " 1s", ""])(
    "%s is none",
    (text) => {
      expect(readDuration(text)).toBeUndefined();
    },
  );
});
