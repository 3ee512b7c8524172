import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare } from "../../src/diff/compare.js";
import { carryOver, givenBack, ours, owns, unitsOf } from "../../src/diff/own.js";
import type { JsonObject } from "../../src/model/json.js";
import { list, marker, object, spec, text } from "./shapes.js";

const shape = spec(
  {
    appId: text(),
    resourceType: text(),
    displayName: text(),
    none: marker,
    cel: object({ expression: text("expression") }),
    traitIds: list(text()),
  },
  { conditions: ["none", "cel"] },
  ["appId"],
  ["resourceType"],
);

describe("whose field it is", () => {
  it("is asked of fields directly under spec, and of a one-of group as one", () => {
    expect(unitsOf(shape).map(({ name }) => name)).toEqual(["displayName", "conditions", "traitIds"]);
  });

  it("leaves fields that remit does not manage as they are", () => {
    const current = { displayName: "theirs", traitIds: ["t"] };
    expect(carryOver(current, { displayName: "ours" }, ["displayName"], shape)).toEqual({
      displayName: "ours",
      traitIds: ["t"],
    });
  });

  it("clears owned fields that are written empty", () => {
    expect(carryOver({ displayName: "theirs", traitIds: ["t"] }, {}, ["traitIds"], shape)).toEqual({
      displayName: "theirs",
    });
  });

  it("replaces another member of an owned group", () => {
    expect(carryOver({ none: {} }, { cel: { expression: "a" } }, ["cel"], shape)).toEqual({
      cel: { expression: "a" },
    });
  });

  it("never carries over what names the object or what the shape does not know", () => {
    expect(carryOver({ appId: "1", resourceType: "ROLE", newField: 1 }, {}, [], shape)).toEqual({});
  });

  it("is remembered with null where a field was cleared", () => {
    expect(ours({ displayName: "A", traitIds: ["t"] }, ["displayName", "cel"])).toEqual({
      displayName: "A",
      cel: null,
    });
  });

  it("is given back when it is no longer written", () => {
    const applied = { displayName: "A", cel: { expression: "a" }, traitIds: null };
    expect(givenBack(applied, ["displayName"], shape)).toEqual(["cel", "traitIds"]);
    expect(givenBack(applied, ["displayName", "none", "traitIds"], shape)).toEqual([]);
  });
});

describe("the laws of ownership", () => {
  const objects = fc.record(
    {
      displayName: fc.constantFrom("A", "B"),
      condition: fc.constantFrom<JsonObject>({}, { none: {} }, { cel: { expression: "a" } }),
      traitIds: fc.subarray(["s", "t"], { minLength: 1 }),
    },
    { requiredKeys: ["condition"] },
  );
  const flat = objects.map(({ condition, ...others }): JsonObject => ({ ...others, ...condition }));
  const owneds = fc.subarray(["displayName", "none", "cel", "traitIds"]);

  it("carries over every unit from exactly one of the two", () => {
    fc.assert(
      fc.property(flat, flat, owneds, (current, fields, owned) => {
        const after = carryOver(current, fields, owned, shape);
        for (const unit of unitsOf(shape)) {
          const source = owns(owned, unit) ? fields : current;
          expect(compare(source, after, unit.shape)).toEqual([]);
        }
      }),
    );
  });
});
