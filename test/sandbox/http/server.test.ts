import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/http/server.js";
import { fakeClock } from "../../fakes/clock.js";

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
    expect(sandbox.log.entries()).toMatchObject([
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

  it("refuses every request without a good token", async () => {
    const reply = await post(path, {}, "wrong");
    expect(reply.status).toBe(401);
    expect(await reply.json()).toMatchObject({ code: 16 });
    expect(sandbox.log.entries()).toMatchObject([
      { status: 401, reached: false, written: false, client: null },
    ]);
  });
});

describe("a sandbox that is closed", () => {
  it("does not do what it kept waiting", async () => {
    const clock = fakeClock();
    let waiting: () => void = () => undefined;
    const kept = new Promise<void>((resolve) => {
      waiting = resolve;
    });
    const faults: unknown[] = [];
    const slow = await startSandbox({
      faults: { seed: 1, rules: [{ fault: "latency", milliseconds: 50 }] },
      report: (error) => faults.push(error),
      clock: {
        ...clock,
        sleep: (_, signal) =>
          new Promise((_, reject) => {
            signal?.addEventListener("abort", () => reject(signal.reason));
            waiting();
          }),
      },
    });
    const reply = fetch(`${slow.url}/api/v1/access_review_template`, {
      method: "POST",
      headers: { authorization: `Bearer ${slow.token}` },
      body: JSON.stringify({ displayName: "Q4", ownerIds: ["u"] }),
    });
    const failed = expect(reply).rejects.toThrow();
    await kept;
    await slow.close();
    await failed;
    expect([slow.store.templates.all(), slow.log.count(), faults]).toEqual([[], 0, []]);
  });
});

describe("a log that listens", () => {
  it("hears of every request once, those that were reset included", async () => {
    const heard: string[] = [];
    let enough: () => void = () => undefined;
    const all = new Promise<void>((resolve) => {
      enough = resolve;
    });
    const told = await startSandbox({
      faults: { seed: 1, rules: [{ fault: "reset", times: 1 }] },
      log: (entry) => {
        heard.push(`${entry.sequence} ${entry.status} ${entry.delivered}`);
        if (heard.length === 2) enough();
      },
    });
    await expect(fetch(told.url)).rejects.toThrow();
    await (await fetch(told.url)).text();
    await all;
    expect(heard).toEqual(["1 null false", "2 200 true"]);
    await told.close();
  });
});
