import { expect, onTestFinished, test } from "vitest";
import type { Call } from "../../src/model/call.js";
import { Secret } from "../../src/model/secret.js";
import { DEFAULT_CLIENT } from "../../src/sandbox/auth/client.js";
import { type SandboxOptions, startSandbox } from "../../src/sandbox/http/server.js";
import { C1_APP_ID } from "../../src/sandbox/tenant/tenant.js";
import { type Client, makeClient } from "../../src/tenant/client/client.js";
import { ApiError } from "../../src/tenant/client/error.js";
import { NO_PROXIES } from "../../src/tenant/client/proxy.js";
import { cases } from "../fakes/cases.js";
import { hastyClock } from "../fakes/inside.js";
import { idOf } from "../fakes/many.js";

/** More than one call in ten meets a fault, and half of the faults leave a write done. */
const STORM: SandboxOptions["faults"] = {
  seed: 20260101,
  rules: [
    { fault: "throttle", retryAfter: 1, probability: 0.005 },
    { fault: "throttle", probability: 0.01 },
    { fault: "error", status: 503, retryAfter: 1, probability: 0.002 },
    { fault: "error", status: 502, probability: 0.01 },
    { fault: "error", status: 503, probability: 0.01 },
    { fault: "error", status: 504, written: true, probability: 0.02 },
    { fault: "error", status: 500, probability: 0.01 },
    { fault: "error", status: 500, written: true, probability: 0.01 },
    { fault: "reset", probability: 0.02 },
    { fault: "lost", probability: 0.02 },
    { fault: "truncated", probability: 0.01 },
    { fault: "html", probability: 0.005 },
    { fault: "slow", milliseconds: 2, probability: 0.005 },
    { fault: "expired", probability: 0.001 },
  ],
};

/** So many calls; the soak sends twenty times as many. */
const COUNT = cases(1_500);

/** How one piece of work ended, as this side believes. */
type End = "done" | "failed";

const EXPRESSION = 'subject.department == "Engineering"';
const entitlement = (number: number) => idOf("entitlement", number);
const template = (number: number) => idOf("template", number);
const automationPath = (number: number) => [
  "api",
  "v1",
  "apps",
  C1_APP_ID,
  "entitlements",
  entitlement(number),
  "automation",
];

const create = (number: number): Call => ({
  operation: "Test",
  method: "POST",
  path: [...automationPath(number), "create"],
  body: { automation: { displayName: `automation ${number}`, cel: { expression: EXPRESSION } } },
  effect: "once",
  expects: ["automation"],
});
const readBack = (number: number): Call => ({
  operation: "Test",
  method: "GET",
  path: automationPath(number),
  effect: "read",
});
const set = (number: number): Call => ({
  operation: "Test",
  method: "POST",
  path: ["api", "v1", "access_review_template", template(number), "scope_and_entitlements"],
  body: {
    scope: { allUsers: {} },
    entitlements: [{ appId: C1_APP_ID, appEntitlementId: entitlement(number) }],
  },
  effect: "repeatable",
  expects: ["list"],
});
const list: Call = {
  operation: "Test",
  method: "GET",
  path: ["api", "v1", "apps"],
  effect: "read",
  expects: ["list"],
};

test(`${COUNT} calls through a storm end as they say, and nothing is created twice`, async () => {
  const sandbox = await startSandbox({ seed: 7, faults: STORM });
  const client = makeClient({
    server: sandbox.url,
    credentials: { as: "client", ...secretOf(DEFAULT_CLIENT), from: ["REMIT_CLIENT_ID"] },
    clock: hastyClock(50),
    random: Math.random,
    width: 20,
    retries: 6,
    requestTimeout: 500_000,
    userAgent: "remit/storm",
    proxies: NO_PROXIES,
  });
  onTestFinished(async () => {
    client.close();
    await sandbox.close();
  });

  const numbers = Array.from({ length: COUNT }, (_, number) => number);
  const ends = await Promise.all(numbers.map((number) => client.pace.limit(() => work(client, number))));

  const creations = new Map(sandbox.log.creates().map(({ key, done }) => [key, done]));
  const setups = new Map(sandbox.store.setups.all().map((row) => [row.templateId, row.entitlements.length]));
  const wrong = numbers.filter((number) => {
    const end = ends[number];
    if (number % 2 === 0) {
      const done = creations.get(`/${create(number).path.join("/")}`) ?? 0;
      return done !== (end === "done" ? 1 : 0);
    }
    return number % 4 === 1 && end === "done" && setups.get(template(number)) !== 1;
  });
  expect(wrong).toEqual([]);
  expect([...creations.values()].filter((done) => done > 1)).toEqual([]);
  expect(sandbox.faults.strikes.every((strikes) => strikes > 0)).toBe(true);
  expect(ends.filter((end) => end === "failed").length).toBeLessThan(COUNT / 20);
  expect(client.report().calls).toBeGreaterThanOrEqual(COUNT);
});

function work(client: Client, number: number): Promise<End> {
  if (number % 2 === 0) return createOnce(client, number);
  return send(client, number % 4 === 1 ? set(number) : list);
}

async function send(client: Client, call: Call): Promise<End> {
  try {
    await client.send(call);
    return "done";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return "failed";
  }
}

/** Settles an uncertain create by reading, as an apply does; sends once more only what got no reply. */
async function createOnce(client: Client, number: number): Promise<End> {
  for (;;) {
    try {
      await client.send(create(number));
      return "done";
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.next === "stop") return "failed";
      if (await exists(client, number)) return "done";
      if (error.progress === "replied") return "failed";
    }
  }
}

/** Asks until it gets an answer: a test that cannot settle proves nothing. */
async function exists(client: Client, number: number): Promise<boolean> {
  for (;;) {
    try {
      await client.send(readBack(number));
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404 && error.own) return false;
    }
  }
}

function secretOf({ id, secret }: { readonly id: string; readonly secret: string }) {
  return { id, secret: new Secret(secret) };
}
