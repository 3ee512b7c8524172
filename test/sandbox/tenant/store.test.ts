import { expect, test } from "vitest";
import { makeId, makeTraceId } from "../../../src/sandbox/tenant/identity.js";
import { makeStore } from "../../../src/sandbox/tenant/store.js";
import { EMPTY_TENANT } from "../../../src/sandbox/tenant/tenant.js";
import { idOf, MORNING, TENANT, told, visit } from "../visit.js";
import { placeOf, WALK } from "../walk.js";

test("a tenant taken out and put back is the same, whatever was done to it", () => {
  const { ask, store } = visit();
  for (const stop of WALK) ask(stop.method, placeOf(stop), stop.body);
  const tenant = store.toTenant();
  expect(tenant.templates).toHaveLength(2);
  expect(tenant.automations).toHaveLength(1);
  expect(makeStore(JSON.parse(JSON.stringify(tenant))).toTenant()).toEqual(tenant);
});

test("a store does not change the tenant it was made of", () => {
  const before = structuredClone(TENANT);
  const { ask } = visit();
  for (const stop of WALK) ask(stop.method, placeOf(stop), stop.body);
  expect(TENANT).toEqual(before);
});

test("an open tenant has every template, type, entitlement and app, blank, and no automation", () => {
  const { ask, store } = visit({ tenant: EMPTY_TENANT });
  const [app, id] = [idOf("app"), idOf("id")];
  expect(told(ask("GET", `/api/v1/apps/${app}`), "app", "id")).toBe(app);
  expect(ask("GET", `/api/v1/apps/${app}/resource_types/${id}`).status).toBe(200);
  expect(ask("GET", `/api/v1/apps/${app}/entitlements/${id}`).status).toBe(200);
  expect(ask("GET", `/api/v1/access_review_template/${id}`).status).toBe(200);
  expect(ask("GET", `/api/v1/access_review_template/${id}/scope_and_entitlements`).body).toEqual({
    expanded: [],
    list: [],
    scope: null,
  });
  expect(ask("GET", `/api/v1/apps/${app}/entitlements/${id}/automation`).status).toBe(404);
  expect(store.toTenant()).toEqual(EMPTY_TENANT);
});

test("two entitlements of one alias are both found by it", () => {
  const store = makeStore();
  for (const appId of ["a", "b"])
    store.entitlements.put(appId, idOf("e"), { appId, id: idOf("e"), displayName: "E", alias: "e" });
  store.entitlements.put("a", idOf("e"), { appId: "a", id: idOf("e"), displayName: "F", alias: "e" });
  expect(store.aliased("e").map((row) => row.displayName)).toEqual(["F", "E"]);
  expect(store.aliased("none")).toEqual([]);
});

test("ids are of the form that the service checks, in the order of their seconds, and follow from chance and time", () => {
  const random = () => 0.5;
  const early = makeId(MORNING, random);
  expect(early).toMatch(/^[a-zA-Z0-9]{27}$/);
  expect(makeId(MORNING, random)).toBe(early);
  expect(makeId(MORNING + 1000, random) > early).toBe(true);
  expect(makeId(0, () => 0.999999)).toMatch(/^[a-zA-Z0-9]{27}$/);
  expect(makeTraceId(random)).toMatch(/^[0-9a-f]{32}$/);
});
