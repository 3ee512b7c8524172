import { describe, expect, test } from "vitest";
import { ADMIN, GITHUB, idOf, QUARTERLY, REPOSITORY, refusal, told, visit } from "../visit.js";

const TYPE = `/api/v1/apps/${GITHUB}/resource_types/${REPOSITORY}`;
const SETUP = `/api/v1/access_review_template/${QUARTERLY}/scope_and_entitlements`;

describe("a reply", () => {
  test("is JSON with the id of its request", () => {
    const { headers } = visit().ask("GET", "/api/v1/apps");
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["c1-trace-id"]).toMatch(/^[0-9a-f]{32}$/);
  });

  test("that refuses shows the code, the words, that id, and nothing that is unset", () => {
    const reply = visit().ask("GET", `/api/v1/apps/${idOf("nowhere")}`);
    expect(reply).toEqual({
      status: 404,
      headers: { "content-type": "application/json", "c1-trace-id": reply.headers["c1-trace-id"] },
      body: { code: 5, message: `not found (request-id: ${reply.headers["c1-trace-id"]})` },
    });
  });
});

describe("a path", () => {
  test.each([
    ["/api/v1/apps/", "/api/v1/apps"],
    ["/api/v1/apps/?page_size=10", "/api/v1/apps?page_size=10"],
    [`/api/v1/apps/${GITHUB}/resource_types/`, `/api/v1/apps/${GITHUB}/resource_types`],
    [`/api/v1/apps/${GITHUB}/resource_types//`, `/api/v1/apps/${GITHUB}/resource_types`],
    ["/api//v1/apps", "/api/v1/apps"],
    [
      "/api/v1/access_review_template//scope_and_entitlements",
      "/api/v1/access_review_template/scope_and_entitlements",
    ],
  ])("%s leads by 301 to %s", (path, location) => {
    const reply = visit().ask("GET", path);
    expect([reply.status, reply.headers.location]).toEqual([301, location]);
  });

  test.each([
    "/api",
    "/api/v1",
    "/api/v1/nothing",
    "/api/v1/nothing/",
    `${TYPE}/more`,
    "/api/v2/apps",
    "/api/v1/apps/%zz",
  ])("%s is none of the service's, and says so in other words than an object that is not there", (path) => {
    expect(visit().ask("GET", path)).toEqual({
      status: 404,
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: "404 page not found",
    });
  });

  test.each(["/", "/apps", "/api2/v1/apps", "/auth"])("%s off the API gives the web app with 200", (path) => {
    const reply = visit().ask("GET", path);
    expect([reply.status, reply.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(reply.body).toMatch(/^<!doctype html>/);
  });

  test("with another method says which there are", () => {
    const reply = visit().ask("PUT", TYPE, {});
    expect([reply.status, reply.headers.allow]).toEqual([405, "GET, POST, DELETE"]);
  });

  test.each(["short", `${REPOSITORY}x`, "a-b0000000000000000000000000", "..%2F0000000000000000000000000"])(
    "with the id %s is refused as the service's validation does",
    (id) => {
      expect(refusal(visit().ask("GET", `/api/v1/apps/${GITHUB}/resource_types/${id}`))).toEqual({
        status: 400,
        code: 3,
        message:
          'invalid AppResourceTypeServiceGetRequest.Id: value does not match regex pattern "^[a-zA-Z0-9]{27}$"',
      });
    },
  );

  test("may be percent-encoded", () => {
    expect(visit().ask("GET", TYPE.replace("typeR", "%74ypeR")).status).toBe(200);
  });
});

describe("a body", () => {
  test("may be absent", () => {
    expect(visit().ask("POST", "/api/v1/search/apps").status).toBe(200);
    expect(visit().ask("DELETE", TYPE).body).toEqual({});
  });

  test("is not looked at on a GET", () => {
    expect(visit().ask("GET", TYPE, "nonsense").status).toBe(200);
  });

  test("that is not UTF-8 gets a bare 500", () => {
    const reply = visit().ask("POST", TYPE, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]));
    expect([reply.status, reply.body]).toEqual([500, ""]);
  });

  test("may have 4 MiB and no more", () => {
    const { ask } = visit();
    const body = (length: number) => new TextEncoder().encode(`{}${" ".repeat(length - 2)}`);
    expect(ask("POST", SETUP, body(4 * 1024 * 1024)).status).toBe(200);
    expect(refusal(ask("POST", SETUP, body(4 * 1024 * 1024 + 1)))).toMatchObject({ status: 400, code: 3 });
  });

  test("gives way to the query, and both to the path", () => {
    const { ask } = visit();
    const search = ask("POST", "/api/v1/search/apps?page_token=bad", { pageToken: "" });
    expect(refusal(search)).toMatchObject({ status: 400, message: "invalid page token" });
    const update = ask("POST", `${TYPE}?id=${ADMIN}`, {
      id: ADMIN,
      app_id: ADMIN,
      appResourceType: { displayName: "R" },
    });
    expect(told(update, "appResourceType")).toMatchObject({ appId: GITHUB, id: REPOSITORY });
  });
});

describe("the documented contract", () => {
  const core = () => visit({ spoken: "core" });
  const nothing = {
    status: 404,
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: "404 page not found",
  };

  test("has its four operations", () => {
    const { ask } = core();
    expect(ask("POST", SETUP, {}).status).toBe(200);
    expect(
      ask("POST", `/api/v1/apps/${GITHUB}/entitlements/${ADMIN}/automation/create`, { automation: {} })
        .status,
    ).toBe(200);
    expect(
      ask("POST", TYPE, { appResourceType: { displayName: "R" }, updateMask: "displayName" }).status,
    ).toBe(200);
    expect(ask("GET", `/api/v1/apps/${GITHUB}/entitlements`).status).toBe(200);
  });

  test.each([
    ["GET", SETUP],
    ["GET", TYPE],
    ["DELETE", TYPE],
    ["GET", "/api/v1/apps"],
    ["GET", "/api/v1/apps/"],
    ["GET", `/api/v1/apps/${GITHUB}/entitlements/${ADMIN}`],
    ["GET", `/api/v1/apps/${GITHUB}/entitlements/${ADMIN}/automation`],
    ["POST", `/api/v1/apps/${GITHUB}/entitlements/${ADMIN}/automation/update`],
    ["GET", `/api/v1/access_review_template/${QUARTERLY}`],
    ["POST", "/api/v1/search/entitlements"],
    ["GET", "/"],
  ])("has no %s %s", (method, path) => {
    expect(core().ask(method, path)).toEqual(nothing);
  });

  test("asks whether things are there as the other does, and takes ids of any form", () => {
    expect(refusal(core().ask("POST", SETUP.replace(QUARTERLY, "t-1"), {}))).toEqual({
      status: 404,
      code: 5,
      message: "not found",
    });
  });
});
