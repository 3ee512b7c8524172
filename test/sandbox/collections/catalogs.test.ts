import { describe, expect, it } from "vitest";
import { isObject, type JsonObject } from "../../../src/model/json.js";
import { valueAt } from "../../../src/model/path.js";
import { ADMIN, C1, GITHUB, MEMBER, TENANT, visit } from "../visit.js";

const CATALOGS = "/api/v1/catalogs";
const admin = { appId: GITHUB, id: ADMIN };
const member = { appId: GITHUB, id: MEMBER };

/** A tenant with a new access profile, and ways to ask about it. */
function withProfile(fields: JsonObject = {}) {
  const world = visit({ tenant: TENANT });
  const made = world.ask("POST", CATALOGS, { displayName: "Starter", ...fields });
  const id = String(valueAt(made.body, ["requestCatalogView", "requestCatalog", "id"]));
  const item = `${CATALOGS}/${id}`;
  const entries = () => world.ask("GET", `${item}/requestable_entitlementIDs`).body;
  const bindings = () => {
    const list = valueAt(world.ask("GET", `${item}/visibility_entitlements`).body, ["list"]);
    return Array.isArray(list) ? list.map((row) => valueAt(row, ["appEntitlement", "id"])) : list;
  };
  return { ...world, id, item, entries, bindings };
}

describe("a new access profile", () => {
  it("is unpublished, and is beside another one of its name", () => {
    const { ask, item } = withProfile();
    expect(valueAt(ask("GET", item).body, ["requestCatalogView", "requestCatalog"])).toMatchObject({
      displayName: "Starter",
      published: false,
      visibleToEveryone: false,
      enrollmentBehavior: "REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_UNSPECIFIED",
      accessEntitlements: [],
    });
    expect(ask("POST", CATALOGS, { displayName: "Starter" }).status).toBe(200);
  });
  it("has an enrollment entitlement with its own id in the tenant's own app, and a companion", () => {
    const { ask, id } = withProfile();
    const read = ask("GET", `/api/v1/apps/${C1}/entitlements/${id}`).body;
    const enrollment = valueAt(read, ["appEntitlementView", "appEntitlement"]);
    expect(enrollment).toMatchObject({ slug: "enrollment", isManuallyManaged: false });
    const resource = isObject(enrollment) ? (enrollment.appResourceId ?? null) : null;
    const found = ask("POST", "/api/v1/search/entitlements", { resourceIds: [resource] }).body;
    const names = valueAt(found, ["list"]);
    expect(
      Array.isArray(names) && names.map((row) => valueAt(row, ["appEntitlement", "displayName"])),
    ).toEqual(["Enrollment", "Excluded from rule"]);
  });
});

describe("the entries of a profile", () => {
  it("are replaced as a whole, cleared by an empty list, added and removed, each once", () => {
    const { ask, item, entries } = withProfile();
    const set = (...appEntitlements: readonly JsonObject[]) =>
      ask("POST", `${item}/requestable_entitlements/update`, { appEntitlements: [...appEntitlements] });
    expect(set(admin, admin).body).toEqual({});
    expect(entries()).toEqual({ refs: [admin] });
    ask("POST", `${item}/requestable_entries`, { appEntitlements: [member, admin] });
    expect(entries()).toEqual({ refs: [admin, member] });
    ask("DELETE", `${item}/requestable_entries`, { appEntitlements: [admin] });
    expect(entries()).toEqual({ refs: [member] });
    set();
    expect(entries()).toEqual({ refs: [] });
  });
  it("are entitlements of the tenant", () => {
    const { ask, item } = withProfile();
    const reply = ask("POST", `${item}/requestable_entitlements/update`, {
      appEntitlements: [{ appId: GITHUB, id: "2fsgTvxP0DVTsNXEUBI7hOe0l00" }],
    });
    expect(reply.status).toBe(404);
  });
});

describe("the visibility of a profile", () => {
  it.each([
    [{ published: false }, "catalog must be published to add an access entitlement"],
    [
      { published: true, visibleToEveryone: true },
      "catalog is visible to everyone, cannot add access entitlements",
    ],
  ])("of %j is refused: %s", (fields, message) => {
    const { ask, item } = withProfile(fields);
    const reply = ask("POST", `${item}/visibility_bindings`, { accessEntitlements: [admin] });
    expect(reply.status).toBe(400);
    expect(valueAt(reply.body, ["message"])).toContain(message);
  });
  it("is added and removed for a published profile", () => {
    const { ask, item, bindings } = withProfile({ published: true });
    ask("POST", `${item}/visibility_bindings`, { accessEntitlements: [admin, member] });
    expect(bindings()).toEqual([ADMIN, MEMBER]);
    ask("DELETE", `${item}/visibility_bindings`, { accessEntitlements: [admin] });
    expect(bindings()).toEqual([MEMBER]);
  });
});

describe("the automation of a profile", () => {
  it("is missing at first, and then bare and whole", () => {
    const { ask, item, id } = withProfile();
    const path = `${item}/bundle_automation`;
    expect(ask("GET", path).status).toBe(404);
    ask("POST", path, { enabled: true, createTasks: true, removedMembersThresholdPercent: "30" });
    expect(ask("POST", `${path}/create`, {}).status).toBe(409);
    ask("POST", path, { enabled: true, cel: { expression: "true" } });
    expect(ask("GET", path).body).toMatchObject({
      requestCatalogId: id,
      enabled: true,
      createTasks: false,
      removedMembersThresholdPercent: "0",
      cel: { expression: "true" },
    });
    expect(ask("DELETE", path, {}).body).toEqual({});
    expect(ask("GET", path).status).toBe(404);
  });
});

describe("a deleted profile", () => {
  it("is shown with its time, and took its enrollment with it", () => {
    const { ask, item, id } = withProfile();
    ask("DELETE", item, {});
    const read = ask("GET", item);
    expect(read.status).toBe(200);
    expect(valueAt(read.body, ["requestCatalogView", "requestCatalog", "deletedAt"])).not.toBeNull();
    expect(ask("GET", `/api/v1/apps/${C1}/entitlements/${id}`).status).toBe(404);
    expect(ask("POST", `${item}/requestable_entitlements/update`, { appEntitlements: [] }).status).toBe(404);
  });
});
