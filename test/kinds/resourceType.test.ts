import { describe, expect, it } from "vitest";
import type { Verb, Work } from "../../src/kinds/kind.js";
import { resourceType } from "../../src/kinds/resourceType.js";
import type { JsonObject } from "../../src/model/json.js";

const KEY = ["app", "type"];
const TYPES = ["api", "v1", "apps", "app", "resource_types"];
const identity = { appId: "app", resourceType: "CUSTOM" };
const work = (verb: Verb, key: Work["key"], after: JsonObject, fields = Object.keys(after)): Work => {
  return { verb, key, identity, after, fields, before: null };
};
const RECORD = { id: "type", appId: "app", displayName: "Team", traitIds: ["b", "a"], deletedAt: null };
const SEEN = { key: KEY, fields: { displayName: "Team", traitIds: ["a", "b"] } };

describe("a resource type", () => {
  it.each<[what: string, after: JsonObject, fields: string[], sent: JsonObject, mask: string]>([
    ["its name alone", { displayName: "Team" }, ["displayName"], { displayName: "Team" }, "displayName"],
    ["traits that are cleared", { displayName: "Team" }, ["traitIds"], { traitIds: [] }, "traitIds"],
    [
      "everything",
      { displayName: "Team", traitIds: ["a"] },
      ["traitIds", "displayName"],
      { displayName: "Team", traitIds: ["a"] },
      "displayName,traitIds",
    ],
  ])(
    "is updated in what is managed, by a mask in camel case: %s (trap 13)",
    (_what, after, fields, sent, updateMask) => {
      expect(resourceType.calls(work("update", KEY, after, fields))).toEqual([
        {
          operation: "UpdateResourceType",
          method: "POST",
          path: [...TYPES, "type"],
          body: { appResourceType: sent, updateMask },
          effect: "repeatable",
          expects: ["appResourceType"],
        },
      ]);
    },
  );
  it("is created, then given its traits under the id of the reply (trap 13)", () => {
    const calls = resourceType.calls(work("create", null, { displayName: "Team", traitIds: ["a"] }));
    expect(calls).toEqual([
      {
        operation: "CreateResourceType",
        method: "POST",
        path: TYPES,
        body: { displayName: "Team", resourceType: "CUSTOM" },
        effect: "once",
        expects: ["appResourceType"],
      },
      {
        operation: "UpdateResourceType",
        method: "POST",
        path: [...TYPES, { reply: ["appResourceType", "id"] }],
        body: { appResourceType: { traitIds: ["a"] }, updateMask: "traitIds" },
        effect: "repeatable",
        expects: ["appResourceType"],
      },
    ]);
  });
  it("is created in one call where it has no traits", () => {
    expect(
      resourceType.calls(work("create", null, { displayName: "Team" }, ["displayName", "traitIds"])),
    ).toHaveLength(1);
  });
  it("can only be updated on the core interface", () => {
    expect(resourceType.verbs.core).toEqual(["update"]);
  });
  it.each<[where: string, body: JsonObject]>([
    ["the view of a read", { appResourceTypeView: { appResourceType: RECORD, appPath: "" }, expanded: [] }],
    ["the reply to a write", { appResourceType: RECORD, expanded: [] }],
    ["a reply that does not say the app", { appResourceType: { ...RECORD, appId: "" } }],
  ])("is seen in %s (traps 18 and 23)", (_where, body) => {
    expect(resourceType.reads.observe(body, KEY)).toEqual(SEEN);
  });
  it("is seen in a row of its app's list, unless it is gone (trap 17)", () => {
    const row = (record: JsonObject) =>
      resourceType.reads.list?.row({ appResourceType: record, appPath: "" }, ["app"]);
    expect(row(RECORD)).toEqual(SEEN);
    expect(row({ ...RECORD, deletedAt: "2026-02-01T00:00:00Z" })).toBeUndefined();
    expect(resourceType.reads.list?.of(["app"])).toMatchObject({
      method: "GET",
      path: TYPES,
      expects: ["list"],
    });
  });
  it("without an id is the one of exactly its name (traps 19 and 27)", () => {
    const isIt = (displayName: string) => resourceType.matches?.({ appId: "app", displayName }, SEEN);
    expect(["Team", "team", "Team "].map(isIt)).toEqual([true, false, false]);
    expect(resourceType.key({ appId: "app", displayName: "Team" })).toBeNull();
  });
});
