import { describe, expect, test } from "vitest";
import { EMPTY_TENANT } from "../../../src/sandbox/tenant/tenant.js";
import { ADMIN, C1, GITHUB, idOf, REPOSITORY, refusal, told, visit } from "../visit.js";

const TYPES = `/api/v1/apps/${GITHUB}/resource_types`;
const ITEM = `${TYPES}/${REPOSITORY}`;
const SEARCH = "/api/v1/search/app_resource_types";
const gone = { status: 404, code: 5, message: "not found" };

function found(service: ReturnType<typeof visit>, body: Parameters<typeof service.ask>[2]) {
  const list = told(service.ask("POST", SEARCH, body), "list");
  return (Array.isArray(list) ? list : []).map((type) => type.displayName);
}

describe("the update of a type", () => {
  test("answers every field, and changes only what the mask names", () => {
    const { ask, wait } = visit();
    ask("POST", ITEM, { appResourceType: { traitIds: ["a"] }, updateMask: "traitIds" });
    wait(1);
    const body = {
      appResourceType: { displayName: "Repo", traitIds: ["b", "c"] },
      updateMask: "displayName",
    };
    expect(ask("POST", ITEM, body).body).toEqual({
      appResourceType: {
        id: REPOSITORY,
        appId: GITHUB,
        displayName: "Repo",
        traitIds: ["a"],
        createdAt: null,
        updatedAt: "2025-03-01T08:00:00.001Z",
        deletedAt: null,
      },
      expanded: [],
    });
  });

  test.each([
    ["both fields of its mask", { displayName: "R", traitIds: ["b"] }, "displayName,traitIds", "R", ["b"]],
    ["a masked field that is not sent, to nothing", {}, "displayName,traitIds", "", []],
    ["what is sent, without a mask", { displayName: "R" }, "", "R", ["a"]],
    ["what is sent, with null for a mask", { traitIds: ["b"] }, null, "Repository", ["b"]],
  ])("changes %s", (_, appResourceType, updateMask, displayName, traitIds) => {
    const { ask } = visit();
    ask("POST", ITEM, { appResourceType: { traitIds: ["a"] }, updateMask: "traitIds" });
    const reply = ask("POST", ITEM, { appResourceType, updateMask });
    expect(told(reply, "appResourceType")).toMatchObject({ displayName, traitIds });
  });

  test("goes by the ids of the path, not those of the body", () => {
    const body = {
      appResourceType: { appId: C1, id: idOf("other"), displayName: "R" },
      updateMask: "displayName",
    };
    expect(told(visit().ask("POST", ITEM, body), "appResourceType")).toMatchObject({
      appId: GITHUB,
      id: REPOSITORY,
    });
  });

  test("is refused for a mask it cannot follow, without the type, and where there is none", () => {
    const { ask } = visit();
    const appResourceType = { displayName: "R" };
    expect(refusal(ask("POST", ITEM, { appResourceType, updateMask: "id" }))).toMatchObject({
      status: 400,
      code: 3,
    });
    expect(refusal(ask("POST", ITEM, { appResourceType, updateMask: "trait_ids" }))).toMatchObject({
      code: 3,
    });
    expect(refusal(ask("POST", ITEM, { updateMask: "displayName" }))).toMatchObject({ status: 400, code: 3 });
    expect(refusal(ask("POST", `${TYPES}/${idOf("nowhere")}`, { appResourceType }))).toEqual(gone);
  });

  test("makes the type in an open tenant, so that the documented contract can be tried alone", () => {
    const { ask } = visit({ tenant: EMPTY_TENANT, spoken: "core" });
    const reply = ask("POST", ITEM, {
      appResourceType: { displayName: "R", traitIds: ["a"] },
      updateMask: "displayName",
    });
    expect(told(reply, "appResourceType")).toMatchObject({ id: REPOSITORY, displayName: "R", traitIds: [] });
  });
});

describe("the create of a type", () => {
  test("answers the type and never its kind", () => {
    const reply = visit().ask("POST", TYPES, { displayName: "GROUP", resourceType: "GROUP" });
    expect(told(reply, "appResourceType")).toMatchObject({
      appId: GITHUB,
      displayName: "GROUP",
      traitIds: [],
    });
    expect(JSON.stringify(reply.body)).not.toContain('resourceType"');
  });

  test("is refused for a second of a kind in an app, but of CUSTOM", () => {
    const { ask } = visit();
    ask("POST", TYPES, { displayName: "Group", resourceType: "GROUP" });
    expect(refusal(ask("POST", TYPES, { displayName: "Team", resourceType: "GROUP" }))).toEqual({
      status: 500,
      code: 2,
      message: "app resource type already exists",
    });
    const ids = ["One", "Two"].map((displayName) =>
      told(ask("POST", TYPES, { displayName, resourceType: "CUSTOM" }), "appResourceType", "id"),
    );
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{27}$/);
  });

  test("gives a kind the same id in every app", () => {
    const { ask } = visit();
    const here = told(
      ask("POST", TYPES, { displayName: "Team", resourceType: "GROUP" }),
      "appResourceType",
      "id",
    );
    const list = ask("GET", `/api/v1/apps/${C1}/resource_types`);
    expect(told(list, "list", 1, "appResourceType")).toMatchObject({ id: here, displayName: "Group" });
  });

  test("takes no traits, and wants a name and a kind", () => {
    const { ask } = visit();
    const body = { displayName: "R", resourceType: "CUSTOM" };
    expect(refusal(ask("POST", TYPES, { ...body, traitIds: [] }))).toMatchObject({ status: 400, code: 3 });
    expect(ask("POST", TYPES, { displayName: "R" }).status).toBe(500);
    expect(ask("POST", TYPES, { resourceType: "CUSTOM" }).status).toBe(500);
    expect(refusal(ask("POST", TYPES, { ...body, resourceType: "TEAM" }))).toMatchObject({
      status: 400,
      code: 3,
    });
    expect(refusal(ask("POST", `/api/v1/apps/${idOf("nowhere")}/resource_types`, body))).toEqual(gone);
  });

  test("brings back a deleted type of its kind", () => {
    const { ask } = visit();
    const id = told(
      ask("POST", TYPES, { displayName: "Role", resourceType: "ROLE" }),
      "appResourceType",
      "id",
    );
    ask("DELETE", `${TYPES}/${id}`, {});
    const again = ask("POST", TYPES, { displayName: "Role", resourceType: "ROLE" });
    expect(told(again, "appResourceType")).toMatchObject({ id, deletedAt: null });
  });
});

test("a read and a list wrap the type in a view, and a list has what every app is born with", () => {
  const { ask } = visit();
  expect(told(ask("GET", ITEM), "appResourceTypeView")).toMatchObject({
    appResourceType: { id: REPOSITORY, displayName: "Repository" },
    appPath: "",
  });
  const list = ask("GET", TYPES);
  expect(list.body).toMatchObject({ expanded: [], nextPageToken: "" });
  expect(told(list, "list", 0, "appResourceType", "displayName")).toBe("Repository");
  expect(told(list, "list", 1, "appResourceType", "displayName")).toBe("Credential");
  expect(refusal(ask("GET", `/api/v1/apps/${idOf("nowhere")}/resource_types`))).toEqual(gone);
});

test("a deleted type is gone from reads, lists and searches, and so are its entitlements", () => {
  const service = visit();
  const { ask, turn } = service;
  expect(ask("DELETE", ITEM, {})).toMatchObject({ status: 200, body: {} });
  expect(refusal(ask("GET", ITEM))).toEqual(gone);
  expect(refusal(ask("DELETE", ITEM, {}))).toEqual(gone);
  expect(JSON.stringify(ask("GET", TYPES).body)).not.toContain(REPOSITORY);
  expect(found(service, { displayName: "Repository" })).toEqual([]);
  expect(refusal(ask("GET", `/api/v1/apps/${GITHUB}/entitlements/${ADMIN}`))).toEqual(gone);
  turn({ softDeleted: "shown" });
  expect(told(ask("GET", ITEM), "appResourceTypeView", "appResourceType", "deletedAt")).toBe(
    "2025-03-01T08:00:00Z",
  );
});

describe("a search for types", () => {
  test.each([
    ["the name, whatever its case", { displayName: "REPOSITORY" }, ["Repository"]],
    ["the whole name", { displayName: "Repo" }, []],
    ["a part of the name", { query: "epos" }, ["Repository"]],
    ["an app", { appIds: [GITHUB] }, ["Repository", "Credential"]],
    ["an app that does not exist", { appIds: [idOf("nowhere")] }, []],
    ["an id", { resourceTypeIds: [REPOSITORY] }, ["Repository"]],
    ["an id left out", { appIds: [GITHUB], excludeResourceTypeIds: [REPOSITORY] }, ["Credential"]],
    ["a trait", { resourceTypeTraitIds: ["t"] }, ["Repository"]],
    ["a trait left out", { appIds: [GITHUB], excludeResourceTypeTraitIds: ["t"] }, ["Credential"]],
    ["a user, of whom there are none", { appUserIds: ["u"] }, []],
  ])("goes by %s", (_, body, names) => {
    const service = visit();
    service.ask("POST", ITEM, { appResourceType: { traitIds: ["t"] }, updateMask: "traitIds" });
    expect(found(service, body)).toEqual(names);
  });

  test("does not see by words what was written during the lag, but by ids", () => {
    const service = visit();
    service.turn({ searchLag: 90_000 });
    service.ask("POST", ITEM, { appResourceType: { displayName: "Repo" }, updateMask: "displayName" });
    expect(found(service, { displayName: "Repo" })).toEqual([]);
    expect(found(service, { resourceTypeIds: [REPOSITORY] })).toEqual(["Repo"]);
    service.wait(90_000);
    expect(found(service, { displayName: "Repo" })).toEqual(["Repo"]);
  });

  test("gives bare types", () => {
    expect(told(visit().ask("POST", SEARCH, { resourceTypeIds: [REPOSITORY] }), "list", 0)).toMatchObject({
      id: REPOSITORY,
    });
  });
});
