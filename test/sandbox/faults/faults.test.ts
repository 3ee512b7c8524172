import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Rule } from "../../../src/sandbox/faults/plan.js";
import { type Sandbox, startSandbox } from "../../../src/sandbox/http/server.js";
import { type FakeClock, fakeClock } from "../../fakes/clock.js";

const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5C";
const ENTITLEMENT = "2fsgTvxP0DVTsNXEUBI7hOe0l5D";
const CREATE = `/api/v1/apps/${APP}/entitlements/${ENTITLEMENT}/automation/create`;

let clock: FakeClock;
let sandbox: Sandbox;
beforeEach(async () => {
  clock = fakeClock();
  sandbox = await startSandbox({ clock });
});
afterEach(() => sandbox.close());

function send(method: string, path: string, body?: unknown): Promise<Response> {
  const init = { method, headers: { authorization: `Bearer ${sandbox.token}` } };
  return fetch(`${sandbox.url}${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) });
}

function create(): Promise<Response> {
  return send("POST", CREATE, {
    automation: { displayName: "Everyone", cel: { expression: "true  &&\n true" } },
  });
}

/** The last entry of the log, without what differs from run to run. */
function last() {
  const { status, reached, written, delivered, fault } = sandbox.log.entries().at(-1) ?? {};
  return { status, reached, written, delivered, fault };
}

describe("a fault on the wire", () => {
  it("latency keeps the reply back, by a fixed time or one drawn from a distribution", async () => {
    sandbox.faults.set({
      seed: 1,
      rules: [
        { fault: "latency", milliseconds: 50, times: 1 },
        { fault: "latency", between: [100, 200] },
        { fault: "latency", median: 40, p99: 900 },
      ],
    });
    for (let call = 0; call < 50; call += 1) await send("GET", "/api/v1/apps");
    const first = clock.slept[0] ?? 0;
    expect(first).toBeGreaterThan(150);
    const sorted = clock.slept.slice(1).sort((one, other) => one - other);
    expect(sorted[0]).toBeGreaterThan(100);
    expect(sorted.at(-1)).toBeGreaterThan(300);
    expect(last()).toMatchObject({ status: 200, fault: "latency", delivered: true });
  });

  it.each<[Rule, number, string | null, number | undefined]>([
    [{ fault: "throttle" }, 429, null, 8],
    [{ fault: "throttle", retryAfter: 2 }, 429, "2", 8],
    [
      { fault: "throttle", retryAfter: "Wed, 21 Oct 2026 07:28:00 GMT" },
      429,
      "Wed, 21 Oct 2026 07:28:00 GMT",
      8,
    ],
    [{ fault: "error", status: 500 }, 500, null, 13],
    [{ fault: "error", status: 502 }, 502, null, undefined],
    [{ fault: "error", status: 503, retryAfter: 1 }, 503, "1", 14],
    [{ fault: "error", status: 504 }, 504, null, 4],
    [{ fault: "error", status: 401 }, 401, null, 16],
    [{ fault: "error", status: 403 }, 403, null, 7],
    [{ fault: "error", status: 404 }, 404, null, 5],
    [{ fault: "error", status: 408 }, 408, null, 4],
    [{ fault: "error", status: 409 }, 409, null, 10],
    [{ fault: "error", status: 499 }, 499, null, 1],
    [{ fault: "html", status: 404 }, 404, null, undefined],
  ])("%j answers before anything is written", async (rule, status, retryAfter, code) => {
    sandbox.faults.plant(rule);
    const reply = await create();
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([status, retryAfter]);
    const body = await reply.text();
    if (code === undefined) expect(body).toMatch(/<html.*(502 Bad Gateway|404 Not Found)/);
    else expect(JSON.parse(body)).toEqual({ code, message: expect.stringContaining("request-id: ") });
    expect(last()).toMatchObject({ status, reached: false, written: false });
    expect(sandbox.store.automations.all()).toEqual([]);
  });

  it.each([500, 408, 409, 499] as const)("%i may come after the write was done", async (status) => {
    sandbox.faults.plant({ fault: "error", status, written: true });
    expect((await create()).status).toBe(status);
    const fault = String(status);
    expect(last()).toEqual({ status, reached: true, written: true, delivered: true, fault });
    expect(sandbox.store.automations.all()).toHaveLength(1);
  });

  it("a web page with an error's status may come after the write was done", async () => {
    sandbox.faults.plant({ fault: "html", status: 404, written: true });
    const reply = await create();
    expect([reply.status, reply.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(sandbox.store.automations.all()).toHaveLength(1);
  });

  it("an empty object comes in the place of any reply", async () => {
    sandbox.faults.plant({ fault: "empty", operation: "ListApps" });
    const reply = await send("GET", "/api/v1/apps");
    expect([reply.status, await reply.json()]).toEqual([200, {}]);
    expect(last()).toMatchObject({ status: 200, delivered: false, fault: "empty" });
  });

  it("a late write is done when its time has come, though its reply was lost", async () => {
    sandbox.faults.plant({ fault: "late", milliseconds: 5000, times: 1 });
    await expect(create()).rejects.toThrow();
    expect(last()).toEqual({
      status: null,
      reached: true,
      written: false,
      delivered: false,
      fault: "late",
    });
    const read = () => send("GET", CREATE.replace("/create", ""));
    expect((await read()).status).toBe(404);
    clock.advance(4999);
    expect((await read()).status).toBe(404);
    clock.advance(1);
    expect((await read()).status).toBe(200);
    expect(sandbox.log.creates()).toEqual([{ key: CREATE, asked: 1, done: 1 }]);
    expect(sandbox.log.count({ fault: "late", written: true })).toBe(1);
  });

  it("a late write may be done before a later request, and an error may answer it", async () => {
    sandbox.faults.plant({ fault: "late", requests: 2, status: 408, times: 1 });
    expect((await create()).status).toBe(408);
    const read = () => send("GET", CREATE.replace("/create", ""));
    expect([(await read()).status, (await read()).status]).toEqual([404, 200]);
  });

  it("a late create that comes after a repeated one is refused, as the service refuses it", async () => {
    sandbox.faults.plant({ fault: "late", requests: 2, times: 1 });
    await expect(create()).rejects.toThrow();
    expect((await create()).status).toBe(200);
    await send("GET", "/api/v1/apps");
    expect(sandbox.log.creates()).toEqual([{ key: CREATE, asked: 2, done: 1 }]);
  });

  it("the Date header is the service's time, whatever the machine's clock says", async () => {
    expect((await send("GET", "/api/v1/apps")).headers.get("date")).toBe("Thu, 01 Jan 2026 00:00:00 GMT");
    sandbox.faults.plant({ fault: "quirks", quirks: { clockAhead: 86_400_000 } });
    const reply = await create();
    expect(reply.headers.get("date")).toBe("Fri, 02 Jan 2026 00:00:00 GMT");
    expect(await reply.json()).toMatchObject({ automation: { createdAt: "2026-01-02T00:00:00Z" } });
  });

  it("a bucket lets a burst through, then says when there is room again", async () => {
    sandbox.faults.plant({ fault: "bucket", rate: 0.5, burst: 2 });
    const ask = async () => {
      const reply = await send("GET", "/api/v1/apps");
      return [reply.status, reply.headers.get("retry-after")];
    };
    expect([await ask(), await ask(), await ask()]).toEqual([
      [200, null],
      [200, null],
      [429, "2"],
    ]);
    clock.advance(2000);
    expect([await ask(), await ask()]).toEqual([
      [200, null],
      [429, "2"],
    ]);
  });

  it("a reset comes before the request is read, and nothing is written", async () => {
    sandbox.faults.plant({ fault: "reset", times: 1 });
    await expect(create()).rejects.toThrow();
    expect(last()).toEqual({
      status: null,
      reached: false,
      written: false,
      delivered: false,
      fault: "reset",
    });
    expect((await create()).status).toBe(200);
  });

  it("a lost reply leaves the write done", async () => {
    sandbox.faults.plant({ fault: "lost", times: 1 });
    await expect(create()).rejects.toThrow();
    expect(last()).toEqual({ status: 200, reached: true, written: true, delivered: false, fault: "lost" });
    expect((await create()).status).toBe(409);
    expect(sandbox.log.creates()).toEqual([{ key: CREATE, asked: 2, done: 1 }]);
  });

  it("a slow body comes whole, in pieces", async () => {
    sandbox.faults.plant({ fault: "slow", milliseconds: 500 });
    const reply = await create();
    expect(await reply.json()).toMatchObject({ automation: { displayName: "Everyone" } });
    expect(clock.slept).toHaveLength(10);
    expect(last()).toMatchObject({ written: true, delivered: true, fault: "slow" });
  });

  it("truncated JSON is none", async () => {
    sandbox.faults.plant({ fault: "truncated" });
    const reply = await create();
    expect(reply.status).toBe(200);
    await expect(reply.json()).rejects.toThrow(SyntaxError);
    expect(last()).toMatchObject({ written: true, delivered: false, fault: "truncated" });
  });

  it("a web page comes with status 200", async () => {
    sandbox.faults.plant({ fault: "html" });
    const reply = await create();
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await reply.text()).toContain("<h1>Sign in</h1>");
  });

  it("an expired token is good for nothing from then on", async () => {
    const issued = await fetch(`${sandbox.url}/auth/v1/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: "sandbox@127.0.0.1/spc",
        client_secret: "sandbox",
      }),
    });
    const { access_token: token } = (await issued.json()) as { readonly access_token: string };
    const ask = async () =>
      (await fetch(`${sandbox.url}/api/v1/apps`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await ask()).toBe(200);
    sandbox.faults.plant({ fault: "expired", times: 1 });
    expect((await fetch(`${sandbox.url}/auth/v1/token`, { method: "POST" })).status).toBe(400);
    expect([await ask(), await ask()]).toEqual([401, 401]);
  });
});

describe("the service in another mood", () => {
  async function list(
    pageToken = "",
  ): Promise<{ readonly list: readonly object[]; readonly nextPageToken: string }> {
    const reply = await send("GET", `/api/v1/apps/${APP}/entitlements?page_size=10&page_token=${pageToken}`);
    return (await reply.json()) as never;
  }

  function putEntitlements(count: number): void {
    sandbox.store.apps.put("", APP, { id: APP, displayName: "App" });
    for (let place = 0; place < count; place += 1)
      sandbox.store.entitlements.put(APP, `e${place}`, {
        appId: APP,
        id: `e${place}`,
        displayName: `E ${place}`,
      });
  }

  it.each([
    ["short", 5],
    ["overlong", 23],
  ] as const)("%s pages", async (pages, length) => {
    putEntitlements(40);
    sandbox.faults.plant({ fault: "quirks", quirks: { pages } });
    expect((await list()).list).toHaveLength(length);
    expect(last()).toMatchObject({ fault: "quirks", delivered: true });
  });

  it("a repeated page token", async () => {
    putEntitlements(40);
    sandbox.faults.plant({ fault: "quirks", quirks: { repeatPageToken: true } });
    const first = await list();
    expect((await list(first.nextPageToken)).nextPageToken).toBe(first.nextPageToken);
  });

  it("search lag", async () => {
    const search = async () => {
      const reply = await send("POST", "/api/v1/search/app_resource_types", { displayName: "Team" });
      return ((await reply.json()) as { readonly list: readonly object[] }).list.length;
    };
    sandbox.faults.plant({ fault: "quirks", quirks: { searchLag: 2000 } });
    const types = `/api/v1/apps/${APP}/resource_types`;
    expect((await send("POST", types, { displayName: "Team", resourceType: "CUSTOM" })).status).toBe(200);
    expect(await search()).toBe(0);
    clock.advance(2000);
    expect(await search()).toBe(1);
  });

  it("unknown fields and enum values", async () => {
    sandbox.faults.plant({ fault: "quirks", quirks: { unknownFields: true, unknownEnums: true } });
    const { automation } = (await (await create()).json()) as { readonly automation: object };
    expect(automation).toMatchObject({
      fieldOfALaterVersion: {},
      lastRunStatus: { status: expect.stringMatching(/_OF_A_LATER_VERSION$/) },
    });
  });

  it("rewritten expressions", async () => {
    sandbox.faults.plant({ fault: "quirks", quirks: { rewriteExpressions: true } });
    expect(await (await create()).json()).toMatchObject({
      automation: { cel: { expression: "true && true" } },
    });
  });

  it("lists in another order", async () => {
    putEntitlements(10);
    const ordered = await list();
    sandbox.faults.plant({ fault: "quirks", quirks: { shuffleLists: true } });
    const shuffled = await list();
    expect(shuffled.list).not.toEqual(ordered.list);
    expect(new Set(shuffled.list.map((row) => JSON.stringify(row)))).toEqual(
      new Set(ordered.list.map((row) => JSON.stringify(row))),
    );
  });
});

describe("a rule", () => {
  it.each<[string, Partial<Rule>, readonly number[]]>([
    ["of a method", { method: "GET" }, [200, 503]],
    ["of a path", { path: "/api/v1/apps/*/automation/create" }, [503, 200]],
    ["of an operation", { operation: "ListApps" }, [200, 503]],
    ["of a count", { times: 1 }, [503, 200]],
    ["of no chance", { probability: 0 }, [200, 200]],
  ])("%s strikes those requests alone", async (_, aim, statuses) => {
    sandbox.faults.plant({ fault: "error", status: 503, ...aim } as Rule);
    expect([(await create()).status, (await send("GET", "/api/v1/apps")).status]).toEqual(statuses);
  });

  it("of a seed strikes the same requests, whatever order they come in", async () => {
    const rules: readonly Rule[] = [{ fault: "error", status: 503, probability: 0.5 }];
    const paths = Array.from({ length: 40 }, (_, place) => `/api/v1/apps/${APP}/entitlements/${place}`);
    const struck = async (order: readonly string[], seed: number) => {
      sandbox.faults.set({ seed, rules });
      const statuses = new Map<string, number>();
      for (const path of order) statuses.set(path, (await send("GET", path)).status);
      return paths.filter((path) => statuses.get(path) === 503);
    };
    const forward = await struck(paths, 7);
    expect(forward.length).toBeGreaterThan(8);
    expect(forward.length).toBeLessThan(32);
    expect(await struck([...paths].reverse(), 7)).toEqual(forward);
    expect(await struck(paths, 8)).not.toEqual(forward);
  });

  it("that ends a request is not used up where another has ended it", async () => {
    sandbox.faults.plant({ fault: "error", status: 503, times: 1 });
    sandbox.faults.plant({ fault: "error", status: 500, times: 1 });
    const statuses = [await create(), await create(), await create()].map((reply) => reply.status);
    expect(statuses).toEqual([503, 500, 200]);
    expect(sandbox.faults.strikes).toEqual([1, 1]);
  });
});
