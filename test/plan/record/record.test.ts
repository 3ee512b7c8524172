import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../../src/kinds/entitlementAutomation.js";
import { resourceType } from "../../../src/kinds/resourceType.js";
import { notKeptIn, recordOf } from "../../../src/plan/record/record.js";
import { automation, shown, stepFor, type, typeShown } from "../replies.js";

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

  it("names the fields that the service keeps with another value", () => {
    const record = recordOf(step, { displayName: "Team", traitIds: ["t"] }, resourceType);
    expect(notKeptIn(record, resourceType.shape)).toEqual(["displayName", "traitIds"]);
    expect(record.rewritten).toEqual([]);
  });

  it("names the fields that the service only spells otherwise", () => {
    const spaced = { cel: { expression: "a  &&  b" } };
    const one = stepFor(entitlementAutomation, automation(spaced), shown({ none: {} }));
    const record = recordOf(one, { cel: { expression: "a && b" } }, entitlementAutomation);
    expect(record.rewritten).toEqual(["cel.expression"]);
    expect(notKeptIn(record, entitlementAutomation.shape)).toEqual([]);
  });

  it("takes what the service adds under an unknown name for its own, and misses what it does not send back", () => {
    const wanted = automation({ entitlements: { entitlementRefs: [{ appId: "app", id: "role" }] } });
    const one = stepFor(entitlementAutomation, wanted, shown({ none: {} }));
    const answered = (more: object, row: object) => ({
      entitlements: { entitlementRefs: [{ appId: "app", id: "role", ...row }], ...more },
    });
    const record = recordOf(one, answered({ futureNote: {} }, { futureRow: "r" }), entitlementAutomation);
    expect(notKeptIn(record, entitlementAutomation.shape)).toEqual([]);
    const lost = { applied: answered({ futureNote: "x" }, {}), answered: answered({}, {}) };
    expect(notKeptIn(lost, entitlementAutomation.shape)).toEqual(["entitlements.futureNote"]);
  });

  it("says nothing of a service that showed nothing", () => {
    expect(recordOf(step, null, resourceType)).toMatchObject({ answered: null, rewritten: [] });
  });
});
