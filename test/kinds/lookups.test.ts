import { describe, expect, it } from "vitest";
import { isConnected } from "../../src/kinds/app.js";
import { kindNamed, kinds } from "../../src/kinds/index.js";
import { REFERABLE } from "../../src/kinds/lookups.js";

const { call: listApps, row: readApp } = REFERABLE.app.list;
const { call: listEntitlements, row: readEntitlement } = REFERABLE.entitlement.list;

describe("apps and entitlements", () => {
  it("are listed, never searched (trap 20)", () => {
    const list = { method: "GET", effect: "read", expects: ["list"] };
    expect(listApps()).toEqual({ ...list, operation: "ListApps", path: ["api", "v1", "apps"] });
    expect(listEntitlements("app")).toEqual({
      ...list,
      operation: "ListEntitlements",
      path: ["api", "v1", "apps", "app", "entitlements"],
    });
  });
  it("are known by id and by every name they have", () => {
    expect(readApp({ id: "app", displayName: "GitHub", userCount: "120" })).toEqual({
      id: "app",
      name: "GitHub",
    });
    const appEntitlement = {
      id: "ent",
      displayName: "Admin",
      alias: "github-admin",
      slug: "Member",
      grantCount: "3",
    };
    const known = { id: "ent", name: "Admin", alias: "github-admin", slug: "Member" };
    expect(readEntitlement({ appEntitlement, appPath: "" })).toEqual(known);
    expect(readEntitlement({ appEntitlement: { ...appEntitlement, isAutomationEnabled: false } })).toEqual({
      ...known,
      automated: false,
    });
  });
  it("that are gone are not there", () => {
    const deletedAt = "2026-02-01T00:00:00Z";
    expect(readApp({ id: "app", displayName: "GitHub", deletedAt })).toBeUndefined();
    expect(readEntitlement({ appEntitlement: { id: "ent", deletedAt } })).toBeUndefined();
    expect([readApp(null), readEntitlement([]), readEntitlement({})]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("users", () => {
  it("are asked for in every status but deleted, by e-mail address and by id", () => {
    const { call, byId } = REFERABLE.user.list;
    const userStatuses = ["UNKNOWN", "ENABLED", "DISABLED"];
    expect(call("", "al@x.test").body).toMatchObject({ email: "al@x.test", userStatuses });
    expect(byId.call([{ app: "", id: "u1" }]).body).toMatchObject({ refs: [{ id: "u1" }], userStatuses });
  });
});

describe("the list of kinds", () => {
  it("is in the order of applying: types, resources, entitlements, automations, profiles, templates, scopes (trap 28)", () => {
    const order = [
      "ResourceType",
      "Resource",
      "Entitlement",
      "EntitlementAutomation",
      "AccessProfile",
      "ReviewTemplate",
      "TemplateScope",
    ];
    expect(kinds.map(({ name }) => name).filter((name) => order.includes(name))).toEqual(order);
  });
  it("finds a kind by its name alone", () => {
    expect(kindNamed("ResourceType")?.noun.many).toBe("resource types");
    expect([kindNamed("resourcetype"), kindNamed("__proto__")]).toEqual([undefined, undefined]);
  });
});

describe("an app that a connector fills", () => {
  it.each([
    [{ isManuallyManaged: false }, true],
    [{ isManuallyManaged: true, connectorVersion: 3 }, false],
    [{ isManuallyManaged: null, connectorVersion: 3 }, true],
    [{ connectorVersion: 3 }, true],
    [{ connectorVersion: 0 }, false],
    [{}, false],
  ])("is recognised in %j: %s", (row, is) => {
    expect(isConnected(row)).toBe(is);
  });
});
