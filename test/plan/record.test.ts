import { describe, expect, it } from "vitest";
import { resourceType } from "../../src/kinds/resourceType.js";
import { recordOf } from "../../src/plan/record.js";
import { stepFor, type, typeShown } from "./replies.js";

describe("what a done step leaves in the state", () => {
  const step = stepFor(
    resourceType,
    type({ displayName: "team", traitIds: [] }),
    typeShown({ displayName: "crew", traitIds: ["t"] }),
  );

  it("has the managed fields as sent, an empty list among them", () => {
    expect(recordOf(step, { displayName: "team" }, resourceType)).toEqual({
      applied: { displayName: "team", traitIds: [] },
      answered: { displayName: "team" },
      rewritten: [],
      protected: false,
    });
  });

  it("names the fields that the service keeps otherwise", () => {
    expect(recordOf(step, { displayName: "Team", traitIds: ["t"] }, resourceType).rewritten).toEqual([
      "displayName",
      "traitIds",
    ]);
  });

  it("says nothing of a service that showed nothing", () => {
    expect(recordOf(step, null, resourceType)).toMatchObject({ answered: null, rewritten: [] });
  });
});
