import { describe, expect, it } from "vitest";
import type { FoundRecord } from "../../../src/apply/history.js";
import { type Candidate, changedUnits, changingRun, earlierOf } from "../../../src/commands/accept/before.js";
import { unitsOf } from "../../../src/diff/own.js";
import { entitlementAutomation } from "../../../src/kinds/entitlementAutomation.js";
import { hashOfValue, newSecret } from "../../../src/state/record.js";

const { shape } = entitlementAutomation;
const SECRET = newSecret();
const hash = (value: string) => hashOfValue(value, SECRET);
const DESCRIPTION = unitsOf(shape).find(({ name }) => name === "description");

type Fields = FoundRecord[0]["steps"][number]["fields"];

function record(run: string, fields: Fields, more: object = {}): FoundRecord {
  const step = { address: "a", key: null, action: "update", outcome: "done", requests: [], fields, ...more };
  const rest = {
    formatVersion: 1,
    number: 1,
    before: null,
    as: "apply",
    at: "",
    server: "",
    project: null,
  } as const;
  const by = { host: "", user: null, job: null, command: "" };
  const effect = { expected: null, applied: null };
  const made = { ...rest, run, clock: "service", commit: run, effect, by, steps: [step] } as const;
  return [{ ...made, pullRequest: null, unwritten: [] }, run];
}

function at(as: Candidate["origin"]["as"], description: string | null): Candidate {
  const fields = description === null ? {} : { description };
  const origin = as === "commit" ? { as, commit: "c" } : { as };
  return { origin, fields, owned: as === "record" ? null : ["description"], written: fields };
}

function earlier(before: string | null, candidates: readonly Candidate[]) {
  const [[{ steps }]] = [record("run", [{ name: "description", before, after: hash("new") }])];
  const [step] = steps;
  if (step === undefined || DESCRIPTION === undefined) throw new Error("no step");
  const { of, isProved } = earlierOf(DESCRIPTION, step, candidates, shape, SECRET);
  return [of?.fields.description ?? null, of?.origin.as ?? null, isProved];
}

describe("what a field was before a run", () => {
  const known = [at("record", null), at("state", "first"), at("commit", "old"), at("commit", "older")];
  it.each([
    [hash("older"), ["older", "commit", true]],
    [hash("first"), ["first", "state", true]],
    [null, [null, "record", true]],
    [hash("another"), [null, null, false]],
    // Nothing speaks for the value that remit found first.
    ["unknown", ["old", "commit", false]],
  ] as const)(
    "is what the record proves, or what a commit has where it shows nothing: %#",
    (before, expected) => {
      expect(earlier(before, known)).toEqual(expected);
    },
  );

  it("is not known where the record shows nothing and no commit is known", () => {
    expect(earlier("unknown", known.slice(0, 2))).toEqual([null, null, false]);
    expect(earlier("unknown", [{ ...at("commit", "old"), owned: ["displayName"] }])).toEqual([
      null,
      null,
      false,
    ]);
  });
});

describe("the run before which values are asked for", () => {
  const change = [{ name: "description", before: null, after: hash("a") }];
  const other = [{ name: "displayName", before: hash("b"), after: hash("a") }];
  const same = [{ name: "description", before: hash("a"), after: hash("a") }];
  const found = [
    record("adopted", same, { action: "adopt" }),
    record("failed", change, { outcome: "failed" }),
    record("renamed", other),
    record("described", change),
    record("lost", change, { outcome: "failed" }),
    record("created", change, { action: "create" }),
  ];

  it("is the newest that changed the object, or the field, or the one that is named", () => {
    const nameOf = (run: string | null, field: string | null) => changingRun(found, run, field)?.record.run;
    expect(nameOf(null, null)).toBe("renamed");
    expect(nameOf(null, "description")).toBe("described");
    expect(nameOf("failed", null)).toBe("failed");
    expect(nameOf(null, "none")).toBeUndefined();
    expect(nameOf("another", null)).toBeUndefined();
  });

  it("was preceded by the commit of the newest run that was done, and by the parent of its own", () => {
    expect(changingRun(found, "described", null)?.commits).toEqual(["created", "described^"]);
    expect(changingRun(found.slice(0, 4), "described", null)?.commits).toEqual(["described^"]);
  });

  it("changed the fields whose values differ, or were not seen", () => {
    const names = (fields: Fields, field: string | null = null) => {
      const step = record("run", fields)[0].steps[0];
      return step === undefined ? [] : changedUnits(step, shape, field).map(({ name }) => name);
    };
    expect(names([...other, ...same])).toEqual(["displayName"]);
    expect(names([{ name: "description", before: "unknown", after: "unknown" }])).toEqual(["description"]);
    expect(names([...other, ...change], "description")).toEqual(["description"]);
    expect(names([{ name: "cel", before: null, after: hash("a") }], "none")).toEqual(["conditions"]);
  });
});
