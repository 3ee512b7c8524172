import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.js";

const TEMPLATE = "2fsgTvxP0DVTsNXEUBI7hOe0l5B";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox({ interface: "core" });
});
afterEach(() => sandbox.close());

function post(path: string, body: unknown, token = sandbox.token): Promise<Response> {
  return fetch(`${sandbox.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

describe("a sandbox", () => {
  const path = `/api/v1/access_review_template/${TEMPLATE}/scope_and_entitlements`;

  it("answers over HTTP, and writes down what it did", async () => {
    const reply = await post(path, { scope: { allUsers: {} }, entitlements: [] });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ scope: { allUsers: {} }, list: [] });
    expect(sandbox.witness.entries()).toMatchObject([
      {
        sequence: 1,
        method: "POST",
        path,
        operation: "SetScopeAndEntitlements",
        client: "token",
        body: { scope: { allUsers: {} }, entitlements: [] },
        status: 200,
        reached: true,
        written: true,
        delivered: true,
        fault: null,
      },
    ]);
  });

  it("lets nobody in without a good token", async () => {
    const reply = await post(path, {}, "wrong");
    expect(reply.status).toBe(401);
    expect(await reply.json()).toMatchObject({ code: 16 });
    expect(sandbox.witness.entries()).toMatchObject([
      { status: 401, reached: false, written: false, client: null },
    ]);
  });
});
