import { describe, expect, it } from "vitest";
import { entitlementAutomation } from "../../src/kinds/entitlementAutomation.js";
import type { Verb, Work } from "../../src/kinds/kind.js";
import type { JsonObject } from "../../src/model/json.js";

const KEY = ["app", "ent"];
const PATH = ["api", "v1", "apps", "app", "entitlements", "ent", "automation"];
const work = (verb: Verb, after: JsonObject, fields = Object.keys(after)): Work => {
  return { verb, key: KEY, identity: { appId: "app", appEntitlementId: "ent" }, after, fields, before: null };
};
const callsFor = (...given: Parameters<typeof work>) => entitlementAutomation.calls(work(...given));

const RECORD = {
  appId: "app",
  appEntitlementId: "ent",
  displayName: "Engineering",
  description: "",
  cel: { expression: "true" },
  lastRunStatus: {
    status: "APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_SUCCESS",
    errorMessage: "",
    lastCompletedAt: null,
  },
  managedByRequestCatalogId: "",
  createdAt: "2026-01-31T00:00:00Z",
  updatedAt: "2026-01-31T00:00:00Z",
  deletedAt: null,
};
const SEEN = {
  key: KEY,
  fields: { displayName: "Engineering", cel: { expression: "true" } },
  createdAt: RECORD.createdAt,
  changedAt: RECORD.updatedAt,
};

const LEFT_OUT = ["createdAt", "lastRunStatus", "updatedAt"];

describe("an entitlement automation", () => {
  it("is created once, in an envelope", () => {
    expect(callsFor("create", { displayName: "Engineering", none: {} })).toEqual([
      {
        operation: "CreateEntitlementAutomation",
        method: "POST",
        path: [...PATH, "create"],
        body: { automation: { displayName: "Engineering", description: "", none: {} } },
        effect: "once",
        expects: ["automation"],
      },
    ]);
  });
  it("is updated as a whole, without a mask, whatever the change (trap 14)", () => {
    expect(callsFor("update", { displayName: "Engineering", cel: { expression: "true" } }, ["cel"])).toEqual([
      {
        operation: "UpdateEntitlementAutomation",
        method: "POST",
        path: [...PATH, "update"],
        body: { displayName: "Engineering", description: "", cel: { expression: "true" } },
        effect: "repeatable",
        expects: ["AppEntitlementAutomation"],
      },
    ]);
  });
  it("is deleted with a body", () => {
    expect(callsFor("delete", {})).toEqual([
      {
        operation: "DeleteEntitlementAutomation",
        method: "DELETE",
        path: PATH,
        body: {},
        effect: "repeatable",
      },
    ]);
  });
  it("is only created on the core interface", () => {
    expect(entitlementAutomation.verbs.core).toEqual(["create"]);
  });
  it.each(["AppEntitlementAutomation", "automation"])("is seen in the envelope %s (trap 23)", (envelope) => {
    expect(entitlementAutomation.reads.observe({ [envelope]: RECORD }, KEY)).toEqual({
      ...SEEN,
      notCompared: LEFT_OUT,
    });
  });
  it("is gone when its record says when it was deleted (trap 17)", () => {
    const deleted = { AppEntitlementAutomation: { ...RECORD, deletedAt: "2026-02-01T00:00:00Z" } };
    expect(entitlementAutomation.reads.observe(deleted, KEY)).toBeUndefined();
    expect(entitlementAutomation.reads.observe({}, KEY)).toBeUndefined();
  });
  it("says who else manages it (trap 16)", () => {
    const managed = { AppEntitlementAutomation: { ...RECORD, managedByRequestCatalogId: "catalog" } };
    expect(entitlementAutomation.reads.observe(managed, KEY)).toMatchObject({
      ...SEEN,
      managedBy: "catalog",
    });
  });
  it("names what is set and not compared, but no condition that remit has no name for", () => {
    const { cel: _cel, ...bare } = RECORD;
    const more = {
      nextRunAt: "2026-02-01T00:00:00Z",
      futureOwner: null,
      deletedAt: "",
      futureRule: { a: 1 },
    };
    const observed = entitlementAutomation.reads.observe({ automation: { ...bare, ...more } }, KEY);
    expect(observed?.notCompared).toEqual(["createdAt", "lastRunStatus", "nextRunAt", "updatedAt"]);
  });
  it("has a condition that matches no users, or has none: the two differ (trap 1)", () => {
    const { cel: _cel, ...bare } = RECORD;
    const fieldsOf = (record: JsonObject) =>
      entitlementAutomation.reads.observe({ automation: record }, KEY)?.fields;
    expect(fieldsOf({ ...bare, none: {} })).toEqual({ displayName: "Engineering", none: {} });
    expect(fieldsOf(bare)).toEqual({ displayName: "Engineering" });
  });
});
