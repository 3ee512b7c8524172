import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import { VOLATILE_FIELD } from "../../src/sandbox/answer/routes.js";
import { ADMIN, C1, GITHUB, MEMBER, QUARTERLY, REPOSITORY, RULED, refusal, told, visit } from "./visit.js";

const SETUP = `/api/v1/access_review_template/${QUARTERLY}/scope_and_entitlements`;
const AUTOMATION = `/api/v1/apps/${C1}/entitlements/${RULED}/automation`;
const TYPES = `/api/v1/apps/${GITHUB}/resource_types`;
const TYPE = `${TYPES}/${REPOSITORY}`;

const cel = { expression: "true" };

describe("a world whose lists lag", () => {
  const flagOf = (rows: ReturnType<typeof told>) =>
    (rows as readonly JsonObject[]).map((row) =>
      told({ status: 200, headers: {}, body: row }, "appEntitlement"),
    );

  test("shows an object as it was, until the time has passed", () => {
    const { ask, turn, wait } = visit();
    turn({ listLag: 5000 });
    wait(10_000);
    ask("POST", TYPE, { appResourceType: { displayName: "Repo" }, updateMask: "displayName" });
    const names = () =>
      (told(ask("GET", TYPES), "list") as readonly { readonly appResourceType: JsonObject }[]).map(
        (row) => row.appResourceType.displayName,
      );
    expect(told(ask("GET", TYPE), "appResourceTypeView", "appResourceType", "displayName")).toBe("Repo");
    expect(names()).toContain("Repository");
    expect(names()).not.toContain("Repo");
    wait(5000);
    expect(names()).toContain("Repo");
  });

  test("does not show what was made, and still shows what was deleted", () => {
    const { ask, turn, wait } = visit();
    turn({ listLag: 5000 });
    ask("POST", TYPES, { displayName: "Team", resourceType: "CUSTOM" });
    ask("DELETE", TYPE, {});
    const found = () =>
      (
        told(
          ask("POST", "/api/v1/search/app_resource_types", { appIds: [GITHUB] }),
          "list",
        ) as readonly JsonObject[]
      )
        .map((row) => row.displayName)
        .sort();
    expect(found()).toEqual(["Credential", "Repository"]);
    wait(5000);
    expect(found()).toEqual(["Credential", "Team"]);
  });

  test("denies an automation while the automation can be read", () => {
    const { ask, turn, wait } = visit();
    turn({ listLag: 5000 });
    ask("POST", `${AUTOMATION}/create`, { automation: { cel } });
    const flag = () => {
      const rows = flagOf(told(ask("GET", `/api/v1/apps/${C1}/entitlements`), "list"));
      return rows.find((row) => (row as JsonObject).id === RULED);
    };
    expect(flag()).toMatchObject({ isAutomationEnabled: false });
    expect(ask("GET", AUTOMATION).status).toBe(200);
    wait(5000);
    expect(flag()).toMatchObject({ isAutomationEnabled: true });
    turn({ unlistedAutomations: true });
    expect(flag()).toMatchObject({ isAutomationEnabled: false });
    expect(told(ask("POST", "/api/v1/search/entitlements", { isAutomated: true }), "list")).toEqual([]);
  });
});

describe("a world whose pages shift", () => {
  test("gives the last row of each page again, and every row at least once", () => {
    const { ask, turn, store } = visit();
    for (let place = 0; place < 27; place += 1)
      store.entitlements.put(GITHUB, `e${place}`, {
        appId: GITHUB,
        id: `e${place}`,
        displayName: `E ${place}`,
      });
    turn({ shiftingPages: true });
    const ids: unknown[] = [];
    let token = "";
    do {
      const page = ask("GET", `/api/v1/apps/${GITHUB}/entitlements?page_size=10&page_token=${token}`);
      const rows = told(page, "list") as readonly { readonly appEntitlement: JsonObject }[];
      ids.push(...rows.map((row) => row.appEntitlement.id));
      token = String(told(page, "nextPageToken"));
    } while (token !== "");
    expect(new Set(ids).size).toBe(30);
    expect(ids.length).toBe(33);
  });
});

describe("a service of a later version", () => {
  const scope = {
    futureScope: { depth: [1, { a: null }] },
    specificResources: { futureOption: true },
    futureUsersScope: { team: "blue" },
    grantsByCriteria: { futureCriteriaFilter: "x", typeFilter: "GRANT_FILTER_TYPE_PERMANENT" },
  };

  test("keeps and shows members that no description names: of scopes, markers, criteria and groups", () => {
    const { ask, turn } = visit();
    turn({ laterVersion: true });
    expect(told(ask("POST", SETUP, { scope }), "scope")).toMatchObject(scope);
    turn({});
    expect(told(ask("GET", SETUP), "scope")).toMatchObject(scope);
  });

  test("knows to which group its own members belong", () => {
    const { ask, turn } = visit();
    turn({ laterVersion: true });
    const both = ask("POST", SETUP, { scope: { ...scope, allUsers: {} } });
    expect(refusal(both)).toMatchObject({ status: 400, message: expect.stringContaining("is already set") });
    const rules = ask("POST", `${AUTOMATION}/create`, { automation: { cel, futureConditions: {} } });
    expect(refusal(rules).message).toContain("oneof c1.api.app.v1.AppEntitlementAutomation.conditions");
  });

  test("keeps members of rows, and lets them go with the request that does not send them", () => {
    const { ask, turn } = visit();
    turn({ laterVersion: true });
    const row = { appId: GITHUB, appEntitlementId: ADMIN };
    const list = () => told(ask("GET", SETUP), "list", 0, "accessReviewTemplateEntitlement");
    ask("POST", SETUP, { entitlements: [{ ...row, futureNote: "why" }] });
    expect(list()).toMatchObject({ ...row, futureNote: "why" });
    ask("POST", SETUP, { entitlements: [row] });
    expect(list()).not.toHaveProperty("futureNote");
  });

  test("keeps a condition that no description names, and replaces it by one that is sent", () => {
    const { ask, turn } = visit();
    turn({ laterVersion: true });
    const made = ask("POST", `${AUTOMATION}/create`, { automation: { futureConditions: { by: "moon" } } });
    expect(told(made, "automation")).toMatchObject({ futureConditions: { by: "moon" } });
    const kept = ask("POST", `${AUTOMATION}/update`, { displayName: "M", updateMask: "displayName" });
    expect(told(kept, "AppEntitlementAutomation")).toHaveProperty("futureConditions");
    const changed = told(ask("POST", `${AUTOMATION}/update`, { cel }), "AppEntitlementAutomation");
    expect(changed).toMatchObject({ cel });
    expect(changed).not.toHaveProperty("futureConditions");
  });

  test("is not assumed: any other world refuses such members", () => {
    const { ask } = visit();
    expect(refusal(ask("POST", SETUP, { scope })).message).toContain('unknown field "futureScope"');
    expect(ask("POST", SETUP, { scope: { otherScope: {} } }).status).toBe(400);
  });
});

test("a world that shows a field more accepts it when it is sent back", () => {
  const { ask, turn } = visit();
  turn({ unknownFields: true });
  const shown = told(ask("POST", SETUP, { scope: { allUsers: {} } }), "scope") as JsonObject;
  expect(shown).toHaveProperty("fieldOfALaterVersion");
  expect(ask("POST", SETUP, { scope: shown }).status).toBe(200);
  turn({});
  expect(told(ask("GET", SETUP), "scope")).not.toHaveProperty("fieldOfALaterVersion");
});

test("a world of volatile fields shows another next run at each read, on objects alone", () => {
  const { ask, turn } = visit();
  ask("POST", `${AUTOMATION}/create`, { automation: { cel } });
  turn({ volatileFields: true });
  const run = () => told(ask("GET", AUTOMATION), "AppEntitlementAutomation", VOLATILE_FIELD);
  expect(run()).not.toEqual(run());
  const scope = told(ask("POST", SETUP, { scope: { allUsers: {} } }), "scope") as JsonObject;
  expect(scope).not.toHaveProperty(VOLATILE_FIELD);
});

describe("a service that does not do what it is asked", () => {
  test("ignores a field of an update, and says what it keeps", () => {
    const { ask, turn } = visit();
    ask("POST", TYPE, { appResourceType: { traitIds: ["a"] }, updateMask: "traitIds" });
    turn({ ignoredFields: ["traitIds"] });
    const wanted = { displayName: "R", traitIds: ["b"] };
    const reply = ask("POST", TYPE, { appResourceType: wanted, updateMask: "displayName,traitIds" });
    expect(told(reply, "appResourceType")).toMatchObject({ displayName: "R", traitIds: ["a"] });
    expect(told(ask("GET", TYPE), "appResourceTypeView", "appResourceType", "traitIds")).toEqual(["a"]);
  });

  test("ignores a scope, the entitlements or a condition as a whole", () => {
    const { ask, turn } = visit();
    const entitlements = [{ appId: GITHUB, appEntitlementId: ADMIN }];
    ask("POST", SETUP, { scope: { allUsers: {} }, entitlements });
    ask("POST", `${AUTOMATION}/create`, { automation: { displayName: "A", basic: cel } });
    turn({ ignoredFields: ["scope", "entitlements", "cel"] });
    const reply = ask("POST", SETUP, { scope: { allAccounts: {} }, entitlements: [] });
    expect(told(reply, "scope")).toMatchObject({ allUsers: {} });
    expect(told(reply, "list")).toHaveLength(1);
    const changed = ask("POST", `${AUTOMATION}/update`, { displayName: "B", cel });
    expect(told(changed, "AppEntitlementAutomation")).toMatchObject({ displayName: "B", basic: cel });
  });

  test("keeps another choice than the one that it was sent", () => {
    const { ask, turn } = visit();
    turn({ otherChoice: true });
    const scope = told(ask("POST", SETUP, { scope: { selectedUsers: { userIds: ["u"] } } }), "scope");
    expect(scope).toMatchObject({ allUsers: {} });
    expect(scope).not.toHaveProperty("selectedUsers");
    const made = told(ask("POST", `${AUTOMATION}/create`, { automation: { cel } }), "automation");
    expect(made).toMatchObject({ basic: cel });
    expect(made).not.toHaveProperty("cel");
  });

  test("leaves out the last row of every list that it is sent", () => {
    const { ask, turn } = visit();
    turn({ missingRows: true });
    const entitlements = [ADMIN, MEMBER].map((id) => ({ appId: GITHUB, appEntitlementId: id }));
    const reply = ask("POST", SETUP, { scope: { selectedUsers: { userIds: ["u", "v"] } }, entitlements });
    expect(told(reply, "list")).toHaveLength(1);
    expect(told(reply, "scope", "selectedUsers", "userIds")).toEqual(["u"]);
    const refs = [ADMIN, MEMBER].map((id) => ({ appId: GITHUB, id }));
    const automation = { entitlements: { entitlementRefs: refs } };
    const made = ask("POST", `${AUTOMATION}/create`, { automation });
    expect(told(made, "automation", "entitlements", "entitlementRefs")).toEqual(refs.slice(0, 1));
  });
});

test("a create that replaces an automation keeps the time that the first was created", () => {
  const { ask, turn, wait } = visit();
  const first = told(ask("POST", `${AUTOMATION}/create`, { automation: { cel } }), "automation", "createdAt");
  wait(60_000);
  turn({ existingAutomation: "replace" });
  const second = ask("POST", `${AUTOMATION}/create`, { automation: { none: {} } });
  expect(told(second, "automation")).toMatchObject({ none: {}, createdAt: first });
  expect(told(second, "automation", "updatedAt")).not.toBe(first);
});
