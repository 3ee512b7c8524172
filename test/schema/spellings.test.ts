import fc from "fast-check";
import { describe, expect, it } from "vitest";
import schema from "../../schemas/template-scope.json" with { type: "json" };
import { canonicalDuration } from "../../src/schema/duration.js";
import { canonicalTimestamp } from "../../src/schema/timestamp.js";

const grants = schema.$defs.spec.properties.scope.properties.grantsByCriteria.properties;

describe("a duration", () => {
  it.each([
    ["7776000s", "7776000s"],
    ["90d", "7776000s"],
    ["P90D", "7776000s"],
    ["2w", "1209600s"],
    ["P2W", "1209600s"],
    ["12h30m", "45000s"],
    ["PT12H30M", "45000s"],
    ["1d1h1m1s", "90061s"],
    ["P1DT1H1M1S", "90061s"],
    ["0s", "0s"],
    ["2592000.000s", "2592000s"],
    ["1.500s", "1.5s"],
    ["PT0.25S", "0.25s"],
    ["315576000000s", "315576000000s"],
  ])("%s is %s", (text, canonical) => {
    expect(canonicalDuration(text)).toBe(canonical);
    expect(canonicalDuration(canonical)).toBe(canonical);
  });
  it.each([
    "",
    "90",
    "d",
    "-1s",
    "1.5h",
    "30m12h",
    "P",
    "PT",
    "P1Y",
    "P1M",
    "90 d",
    "90D",
    "315576000001s",
    `${"9".repeat(400)}s`,
  ])("%j is none", (text) => {
    expect(canonicalDuration(text)).toBeUndefined();
  });
});

describe("a date-time", () => {
  it.each([
    ["2026-01-31T00:00:00Z", "2026-01-31T00:00:00Z"],
    ["2026-01-31T00:30:00+01:00", "2026-01-30T23:30:00Z"],
    ["2026-01-31T00:00:00-05:30", "2026-01-31T05:30:00Z"],
    ["2026-01-31t00:00:00z", "2026-01-31T00:00:00Z"],
    ["2026-01-31T00:00:00.120Z", "2026-01-31T00:00:00.12Z"],
    ["2026-01-31T00:00:00.000Z", "2026-01-31T00:00:00Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
    ["9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"],
  ])("%s is %s", (text, canonical) => {
    expect(canonicalTimestamp(text)).toBe(canonical);
    expect(canonicalTimestamp(canonical)).toBe(canonical);
  });
  it.each([
    "",
    "2026-01-31",
    "2026-01-31T00:00:00",
    "2026-01-31 00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T00:00:60Z",
    "2026-01-31T00:00:00+24:00",
    "2026-01-31T00:00:00+01:60",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
  ])("%j is none", (text) => {
    expect(canonicalTimestamp(text)).toBeUndefined();
  });
});

describe("what an editor underlines is what the command refuses", () => {
  // Few digits: a pattern cannot tell when a duration is longer than the service can hold.
  const pieces = fc.constantFrom(
    "0",
    "7",
    "30",
    "P",
    "T",
    "w",
    "d",
    "h",
    "m",
    "s",
    "W",
    "D",
    "H",
    "M",
    "S",
    ".",
    " ",
    "-",
  );
  const durations = fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join(""));

  it("for durations", () => {
    const pattern = new RegExp(grants.daysSinceAdded.pattern);
    fc.assert(
      fc.property(durations, (text) => {
        expect(pattern.test(text)).toBe(text === "" || canonicalDuration(text) !== undefined);
      }),
      { numRuns: 2_000 },
    );
  });
  it("for the form of date-times", () => {
    const pattern = new RegExp(grants.grantsAddedBetween.properties.startDate.pattern);
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("9990-01-01") }), (date) => {
        expect(pattern.test(date.toISOString())).toBe(canonicalTimestamp(date.toISOString()) !== undefined);
      }),
    );
    expect(["", "2026-01-31", "2026-01-31T00:00:00"].map((text) => pattern.test(text))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
