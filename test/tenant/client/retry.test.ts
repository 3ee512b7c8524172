import { type AddressInfo, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import type { Effect } from "../../../src/model/call.js";
import { ApiError } from "../../../src/tenant/client/error.js";
import { allowance, backoff, endingOf, inSeconds, retryAfter } from "../../../src/tenant/client/retry.js";
import type { Retry } from "../../../src/tenant/client/retrying.js";
import { rejection, startPair } from "../../fakes/client.js";
import { json, type Script } from "../../fakes/server.js";

const status =
  (code: number): Script =>
  (_, response) =>
    json(response, code, { code: 2, message: "no" });

const OUTCOMES: Readonly<Record<string, Script>> = {
  429: status(429),
  reset: (_seen, _response, socket) => socket.destroy(),
  "reply cut short": (_, response, socket) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    response.write('{"ok":', () => socket.destroy());
  },
  "body cut short": (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end('{"ok":'),
  "malformed reply": (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("ok"),
  502: status(502),
  503: status(503),
  504: status(504),
  500: status(500),
  520: status(520),
  501: status(501),
  400: status(400),
  404: status(404),
  408: status(408),
  409: status(409),
  499: status(499),
  "409 aborted": (_, response) => json(response, 409, { code: 10, message: "aborted" }),
  "409 exists": (_, response) => json(response, 409, { code: 6, message: "exists" }),
  "web page": (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
};

/** With two retries: how often each call leaves under an outcome that lasts, and how it ends. */
const CELLS: readonly (readonly [outcome: string, read: string, repeatable: string, once: string])[] = [
  ["429", "7 stop", "7 stop", "7 stop"],
  ["reset", "3 stop", "3 stop", "1 find out"],
  ["reply cut short", "3 stop", "3 stop", "1 find out"],
  ["body cut short", "3 stop", "3 stop", "1 find out"],
  ["malformed reply", "1 stop", "1 stop", "1 find out"],
  ["502", "3 stop", "3 stop", "1 find out"],
  ["503", "3 stop", "3 stop", "1 find out"],
  ["504", "3 stop", "3 stop", "1 find out"],
  ["500", "3 stop", "1 stop", "1 find out"],
  ["520", "3 stop", "1 stop", "1 find out"],
  ["501", "1 stop", "1 stop", "1 stop"],
  ["400", "1 stop", "1 stop", "1 stop"],
  ["404", "1 stop", "1 stop", "1 stop"],
  ["408", "3 stop", "3 stop", "1 find out"],
  ["499", "3 stop", "3 stop", "1 find out"],
  ["409 aborted", "3 stop", "3 stop", "1 find out"],
  ["409 exists", "1 stop", "1 stop", "1 find out"],
  ["409", "1 stop", "1 stop", "1 stop"],
  ["web page", "1 stop", "1 stop", "1 find out"],
];
const EFFECTS: readonly Effect[] = ["read", "repeatable", "once"];

const callOf = (effect: Effect) =>
  ({ operation: "Test", method: "POST", path: ["api", "v1", "x"], body: { name: "x" }, effect }) as const;

describe.each(CELLS)("%s", (outcome, ...ends) => {
  test.each(EFFECTS.map((effect, index) => [effect, ends[index]] as const))(
    "%s: sent and ended as %s",
    async (effect, end) => {
      const { client, server } = await startPair(OUTCOMES[outcome] ?? status(599), { retries: 2 });
      const error = await rejection(client.send(callOf(effect)));
      expect(error).toBeInstanceOf(ApiError);
      const { next, attempts } = error as ApiError;
      expect(`${server.seen.length} ${next}`).toBe(end);
      expect(attempts).toBe(server.seen.length);
    },
  );

  test.each(EFFECTS.filter((_, index) => !ends[index]?.startsWith("1 ")))(
    "%s: a good reply after it is the reply",
    async (effect) => {
      const { client, server } = await startPair(
        (seen, response, socket) =>
          server.seen.length === 1
            ? (OUTCOMES[outcome] ?? status(599))(seen, response, socket)
            : json(response, 200, { ok: true }),
        { retries: 2 },
      );
      expect(await client.send(callOf(effect))).toEqual({ status: 200, body: { ok: true }, attempts: 2 });
    },
  );
});

describe("never sent", () => {
  test.each(EFFECTS)("%s: tried again, and stopped as never sent", async (effect) => {
    const { client } = await startPair(() => undefined, { retries: 2, server: await closedPort() });
    expect(await rejection(client.send(callOf(effect)))).toMatchObject({
      attempts: 3,
      next: "stop",
      progress: "never sent",
    });
  });

  test("a name that does not resolve is never sent", async () => {
    const { client } = await startPair(() => undefined, { retries: 1, server: "https://nowhere.invalid" });
    expect(await rejection(client.send(callOf("once")))).toMatchObject({
      attempts: 2,
      progress: "never sent",
    });
  });

  test("a write that got no reply first and was not sent after it may have been done", async () => {
    const { client, server } = await startPair(
      (_seen, _response, socket) => {
        socket.destroy();
        void server.close();
      },
      { retries: 1 },
    );
    expect(await rejection(client.send(callOf("repeatable")))).toMatchObject({
      attempts: 2,
      progress: "no reply",
    });
  });
});

test("no retries means one attempt, whatever the outcome", async () => {
  const { client, server } = await startPair(status(503), { retries: 0 });
  await rejection(client.send(callOf("read")));
  expect(server.seen).toHaveLength(1);
});

test("a server that is not there is waited for less than 3 s, by all calls of a run together", async () => {
  const free = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => free.once("listening", done));
  const { port } = free.address() as AddressInfo;
  await new Promise((done) => free.close(done));
  const options = { server: `http://127.0.0.1:${port}`, retries: 20, random: () => 0.9 };
  const { client, clock } = await startPair(status(200), options);
  for (let call = 0; call < 3; call += 1)
    expect(await rejection(client.send(callOf("read")))).toMatchObject({ progress: "never sent" });
  expect(clock.elapsed()).toBeGreaterThan(500);
  expect(clock.elapsed()).toBeLessThan(3_000);
});

test("refusals are counted apart from failures", () => {
  expect([allowance("again", 4), allowance("again, twice", 4), allowance("wait, again", 4)]).toEqual([
    4, 2, 12,
  ]);
  expect([allowance("again, twice", 1), allowance("find out", 4), allowance("stop", 4)]).toEqual([1, 0, 0]);
});

test("every status that is not good means one ending", () => {
  const endings = new Set<string>();
  for (let code = 100; code < 600; code += 1) endings.add(endingOf(code));
  expect([...endings].sort()).toEqual(["aborted", "broke", "final", "refused", "unavailable"]);
});

test("waits are spread over a bound that doubles, up to half a minute", () => {
  const longest = [1, 2, 3, 8, 9, 1000].map((failures) => backoff(failures, () => 1));
  expect(longest).toEqual([250, 500, 1000, 30_000, 30_000, 30_000]);
  expect(backoff(5, () => 0)).toBe(0);
});

/** The clock of the clients in these tests shows another year. */
const DATES = { now: "Sun, 22 Nov 2026 10:00:00 GMT", later: "Sun, 22 Nov 2026 11:00:00 GMT" };

describe("Retry-After", () => {
  const clock = { now: () => Date.UTC(2026, 0, 1) };
  test.each([
    ["5", 5000],
    [" 0 ", 0],
    ["1.5", 1500],
    ["Thu, 01 Jan 2026 00:00:20 GMT", 20_000],
    ["Wed, 31 Dec 2025 23:59:00 GMT", 0],
    ["Fri, 02 Jan 2026 00:00:00 GMT", 86_400_000],
    ["86400", 86_400_000],
    ["-5", null],
    ["NaN", null],
    ["Infinity", null],
    ["1e9", null],
    ["soon", null],
    ["2026", 2_026_000],
    ["", null],
    [undefined, null],
  ])("%j means %j milliseconds", (header, milliseconds) => {
    expect(retryAfter(header, clock)).toBe(milliseconds);
  });

  test.each([
    ["5", "Thu, 01 Jan 2026 00:00:00 GMT", "5"],
    ["Thu, 01 Jan 2026 00:00:20 GMT", "Thu, 01 Jan 2026 00:00:13 GMT", "7"],
    ["Thu, 01 Jan 2026 00:00:20 GMT", "Thu, 01 Jan 2026 01:00:00 GMT", "0"],
    ["Thu, 01 Jan 2026 00:00:20 GMT", undefined, "Thu, 01 Jan 2026 00:00:20 GMT"],
    ["Thu, 01 Jan 2026 00:00:20 GMT", "now", "Thu, 01 Jan 2026 00:00:20 GMT"],
    ["soon", "Thu, 01 Jan 2026 00:00:00 GMT", "soon"],
    [undefined, "Thu, 01 Jan 2026 00:00:00 GMT", undefined],
  ])("%j in a reply of %j means %j, whatever the clock of this machine says", (header, date, seconds) => {
    expect(inSeconds(header, date)).toBe(seconds);
  });
});

test.each([
  ["an hour in the future by the service's clock", 3_600, { date: DATES.now, "retry-after": DATES.later }],
  ["a day", 86_400, { "retry-after": "86400" }],
])("a Retry-After of %s is bounded, and the retry says so", async (_, asked, headers) => {
  let refusals = 0;
  const { client, clock } = await startPair((_seen, response) => {
    refusals += 1;
    json(response, refusals === 1 ? 429 : 200, {}, refusals === 1 ? headers : {});
  });
  const retries: Retry[] = [];
  await client.send(
    { operation: "Test", method: "GET", path: ["x"], effect: "read" },
    { retried: (one) => retries.push(one) },
  );
  expect(retries).toMatchObject([{ waiting: 300_000 }]);
  expect(retries[0]?.why).toContain(`; the service asked for ${asked} s, remit waits 300 s`);
  expect(clock.elapsed()).toBeGreaterThanOrEqual(300_000);
});

test.each([429, 502, 503, 504])("a Retry-After of a %i is waited for, as the retry says", async (code) => {
  let count = 0;
  const { client, clock } = await startPair((_seen, response) => {
    count += 1;
    json(response, count === 1 ? code : 200, {}, count === 1 ? { "retry-after": "7" } : {});
  });
  const retries: Retry[] = [];
  await client.send(
    { operation: "Test", method: "GET", path: ["x"], effect: "read" },
    { retried: (one) => retries.push(one) },
  );
  expect(retries).toMatchObject([{ waiting: 7_000 }]);
  expect(clock.elapsed()).toBeGreaterThanOrEqual(7_000);
});

async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
