import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/http/server.js";
import { makeStore } from "../../../src/sandbox/tenant/store.js";

const TEMPLATE = "2fsgTvxP0DVTsNXEUBI7hOe0l5B";

let sandbox: Sandbox;
beforeEach(async () => {
  const store = makeStore();
  const id = "2fsgTvxP0DVTsNXEUBI7hOe0l5C";
  store.apps.put("", id, { id, displayName: "GitHub" });
  sandbox = await startSandbox({ tenant: { ...store.toTenant(), open: false } });
});
afterEach(() => sandbox.close());

async function control(method: string, what: string, body?: unknown) {
  const reply = await fetch(
    `${sandbox.url}/_sandbox/${what}`,
    body === undefined ? { method } : { method, body: JSON.stringify(body) },
  );
  return { status: reply.status, body: (await reply.json()) as Readonly<Record<string, unknown>> };
}

async function api(method: string, path: string, body?: unknown): Promise<number> {
  const init = { method, headers: { authorization: `Bearer ${sandbox.token}` } };
  const reply = await fetch(
    `${sandbox.url}/api/v1/${path}`,
    body === undefined ? init : { ...init, body: JSON.stringify(body) },
  );
  await reply.text();
  return reply.status;
}

const setup = `access_review_template/${TEMPLATE}/scope_and_entitlements`;

describe("/_sandbox/faults", () => {
  it("takes a plan, adds a rule, and tells how often each struck", async () => {
    const plan = { seed: 7, rules: [{ fault: "throttle", retryAfter: 1, operation: "ListApps" }] };
    expect(await control("PUT", "faults", plan)).toEqual({ status: 200, body: { ...plan, strikes: [0] } });
    const planted = { fault: "lost", times: 1, path: "/nowhere" };
    await control("POST", "faults", planted);
    expect(await api("GET", "apps")).toBe(429);
    expect((await control("GET", "faults")).body).toEqual({
      seed: 7,
      rules: [...plan.rules, planted],
      strikes: [1, 0],
    });
  });

  it.each([
    [{ rules: [{ fault: "teapot" }] }, "rules[0].fault must be one of latency, throttle,"],
    [{ rules: [{ fault: "error", status: 418 }] }, "rules[0].status must be one of 401, 403, 404"],
    [{ rules: [{ fault: "lost", probability: 2 }] }, "rules[0].probability must be a number from 0 to 1"],
    [{ rules: [{ fault: "quirks", quirks: { shy: true } }] }, "rules[0].quirks.shy is not known here"],
    [{ rules: [{ fault: "latency" }] }, "rules[0].milliseconds must be a number"],
    ["nonsense", "must be an object"],
  ])("refuses %j, and keeps what there was", async (plan, words) => {
    const answer = await control("PUT", "faults", plan);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(words)]);
    expect(sandbox.faults.plan.rules).toEqual([]);
  });
});

describe("/_sandbox/log", () => {
  it("gives the entries that agree with all that is asked, and forgets them on request", async () => {
    await api("GET", "apps");
    await api("POST", setup, { scope: {} });
    await api("GET", setup);
    const entries = async (query: string) =>
      ((await control("GET", `log?${query}`)).body.entries as readonly { readonly sequence: number }[]).map(
        (entry) => entry.sequence,
      );
    expect(await entries("")).toEqual([1, 2, 3]);
    expect(await entries("method=GET")).toEqual([1, 3]);
    expect(await entries("path=*/scope_and_entitlements&method=GET")).toEqual([3]);
    expect(await entries("operation=ListApps")).toEqual([1]);
    expect(await entries("status=404")).toEqual([2, 3]);
    expect(await entries("written=true")).toEqual([]);
    expect(await entries("after=2")).toEqual([3]);
    await control("DELETE", "log");
    expect(await entries("")).toEqual([]);
    await api("GET", "apps");
    expect(await entries("")).toEqual([4]);
  });

  it("does not hold what is asked of the sandbox itself", async () => {
    await control("GET", "log");
    expect(sandbox.log.count()).toBe(0);
  });
});

describe("/_sandbox/objects and /_sandbox/reset", () => {
  it("show the tenant, and put it back to how it began", async () => {
    expect(await api("POST", "access_review_template", { displayName: "Q4", ownerIds: ["u"] })).toBe(200);
    await control("POST", "faults", { fault: "lost", path: "/nowhere" });
    const kinds = Object.keys((await control("GET", "objects")).body);
    expect(kinds).toContain("automations");
    expect((await control("GET", "objects?kind=templates")).body).toEqual({
      templates: [expect.objectContaining({ displayName: "Q4" })],
    });
    expect((await control("GET", "creates")).body).toEqual({
      creates: [{ key: "/api/v1/access_review_template Q4", asked: 1, done: 1 }],
    });
    expect((await control("POST", "reset")).status).toBe(200);
    expect((await control("GET", "objects?kind=templates")).body).toEqual({ templates: [] });
    expect(sandbox.store.apps.all()).toMatchObject([{ displayName: "GitHub" }]);
    expect([sandbox.log.count(), sandbox.faults.plan.rules.length]).toEqual([0, 0]);
  });
});

describe("the control paths", () => {
  it("list what exists in reply to an unknown path", async () => {
    expect(await control("GET", "nonsense")).toEqual({
      status: 404,
      body: { message: "there are faults, log, creates, objects, reset" },
    });
    expect((await control("GET", "toString")).status).toBe(404);
    expect((await control("GET", "reset")).status).toBe(405);
  });
});
