import { describe, expect, onTestFinished, test } from "vitest";
import type { Call } from "../../../src/model/call.js";
import { Secret } from "../../../src/model/secret.js";
import { rejection, startPair, TOKEN } from "../../fakes/client.js";
import { until } from "../../fakes/handClock.js";
import { json } from "../../fakes/server.js";

const CREATE: Call = {
  operation: "Test",
  method: "POST",
  path: ["api", "v1", "apps", "a/b c", "automation", "create"],
  query: { page_size: "100" },
  body: { name: "ü" },
  effect: "once",
  expects: ["automation"],
};
const READ: Call = {
  operation: "Test",
  method: "GET",
  path: ["api", "v1", "apps"],
  effect: "read",
  expects: ["list"],
};

test("sends a call with its token, body and encoded path, and gives the reply", async () => {
  const { client, server, log } = await startPair((_, response) =>
    json(response, 200, { automation: {} }, { "c1-trace-id": "trace-1" }),
  );
  const reply = await client.send(CREATE);
  expect(reply).toMatchObject({ status: 200, body: { automation: {} }, attempts: 1 });
  expect(reply.requestId?.()).toBe("trace-1");
  expect(server.seen).toMatchObject([
    {
      method: "POST",
      url: "/api/v1/apps/a%2Fb%20c/automation/create?page_size=100",
      body: '{"name":"ü"}',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        "user-agent": "remit/test",
      },
    },
  ]);
  expect(log).toEqual(["POST /api/v1/apps/a/b c/automation/create: 200 after 0 ms (trace-1)"]);
});

test("sends a DELETE with its body", async () => {
  const { client, server } = await startPair((_, response) => json(response, 200, {}));
  await client.send({
    operation: "Test",
    method: "DELETE",
    path: ["api", "v1", "x"],
    body: {},
    effect: "repeatable",
  });
  expect(server.seen).toMatchObject([{ method: "DELETE", body: "{}" }]);
});

test("keeps its connection open from call to call", async () => {
  const { client, server } = await startPair((_, response) => json(response, 200, { list: [] }));
  for (let call = 0; call < 5; call += 1) await client.send(READ);
  expect(server.connections()).toBe(1);
});

test("tries nothing again once it is closed, and sends nothing that waits", async () => {
  const { client, server } = await startPair((_, response) => {
    client.close();
    response.writeHead(503).end();
  });
  await rejection(client.send(READ));
  await rejection(client.send(READ));
  expect(server.seen).toHaveLength(1);
});

test("never follows a redirect, and says where it pointed", async () => {
  const { client, server } = await startPair((_, response) =>
    response.writeHead(301, { location: "/api/v1/apps/" }).end(),
  );
  const error = await rejection(client.send(READ));
  expect(error).toMatchObject({ status: 301, next: "stop", progress: "replied", own: false, attempts: 1 });
  expect(String(error)).toContain("pointing to /api/v1/apps/");
  expect(server.seen).toHaveLength(1);
});

describe("a good status over something else is an error that says so", () => {
  const page = "<!doctype html><title>Sign in</title>";
  test.each([
    ["a web page", "text/html; charset=utf-8", page, "answered 200 with text/html"],
    ["another envelope", "application/json", '{"automation":{}}', "JSON that has no list"],
    ["a list where an object was meant", "application/json", "[]", "JSON that has no list"],
  ])("%s", async (_, type, body, words) => {
    const { client } = await startPair((_, response) =>
      response.writeHead(200, { "content-type": type }).end(body),
    );
    const error = await rejection(client.send(READ));
    expect(error).toMatchObject({ status: 200, progress: "replied", next: "stop", own: false });
    expect(String(error)).toContain(words);
  });

  test.each([
    ["a web page that claims to be JSON", page, "37 bytes"],
    ["nothing at all", "", "0 bytes"],
  ])("%s is not fetched again", async (_, body, size) => {
    const { client, server } = await startPair((_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(body),
    );
    const error = await rejection(client.send(READ));
    expect(error).toMatchObject({ status: 200, fault: "malformed", next: "stop", attempts: 1 });
    expect(server.seen).toHaveLength(1);
    expect(String(error)).toContain(`JSON that breaks off or is malformed (${size})`);
  });

  test("JSON cut short is fetched again, as a reply that did not come", async () => {
    const bodies = ['{"list":[{"id":', '{"list":[]}'];
    const { client, server } = await startPair((_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(bodies.shift()),
    );
    expect(await client.send(READ)).toMatchObject({ status: 200, body: { list: [] } });
    expect(server.seen).toHaveLength(2);
  });

  test("JSON cut short each time says so in the end", async () => {
    const { client } = await startPair((_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"list":[{"id":'),
    );
    const error = await rejection(client.send(READ));
    expect(error).toMatchObject({ status: 200, fault: "malformed", own: false });
    expect(String(error)).toContain("JSON that breaks off or is malformed (15 bytes)");
  });
});

test("a service's error keeps the service's message, its code and its request id", async () => {
  const { client } = await startPair((_, response) =>
    json(response, 400, { code: 3, message: "unknown field (request-id: 2abc)" }),
  );
  expect(await rejection(client.send(CREATE))).toMatchObject({
    message: "POST /api/v1/apps/a/b c/automation/create: answered 400: unknown field",
    status: 400,
    code: 3,
    words: "unknown field",
    requestId: "2abc",
    own: true,
    call: { operation: "Test", method: "POST", path: CREATE.path, effect: "once" },
  });
});

test("a 404 without the service's error form is not its own", async () => {
  const { client } = await startPair((_, response) => response.writeHead(404).end("404 page not found"));
  expect(await rejection(client.send(READ))).toMatchObject({
    status: 404,
    own: false,
    words: null,
    code: null,
  });
});

test("a call that was aborted before it was sent says so, and never leaves", async () => {
  const { client, server } = await startPair((_, response) => json(response, 200, { list: [] }));
  const error = await rejection(client.send(READ, { signal: AbortSignal.abort() }));
  expect(error).toMatchObject({ progress: "never sent", next: "stop", attempts: 0 });
  expect(server.seen).toEqual([]);
});

test("a create that was aborted under way must be settled", async () => {
  const stop = new AbortController();
  const { client } = await startPair(() => stop.abort());
  expect(await rejection(client.send(CREATE, { signal: stop.signal }))).toMatchObject({
    progress: "no reply",
    next: "find out",
    attempts: 1,
  });
});

test("many calls under one signal cause no warning about a leak", async () => {
  const { client } = await startPair((_, response) => json(response, 200, { list: [] }));
  const { signal } = new AbortController();
  const warnings: unknown[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  await Promise.all(Array.from({ length: 30 }, () => client.send(READ, { signal })));
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

test("a reply that does not come in time does not count as a reply", async () => {
  const { client } = await startPair(() => undefined, { requestTimeout: 30, retries: 1 });
  const error = await rejection(client.send(READ));
  expect(error).toMatchObject({ progress: "no reply", attempts: 1 });
  expect(String(error)).toContain("ETIMEDOUT");
});

test("tells of each retry, and counts calls and retries", async () => {
  const { client, server } = await startPair((_, response) =>
    server.seen.length < 3 ? json(response, 503, {}) : json(response, 200, { list: [] }),
  );
  const retries: unknown[] = [];
  const reply = await client.send(READ, { retried: (retry) => retries.push(retry) });
  expect(reply.attempts).toBe(3);
  expect(retries).toEqual([
    { attempt: 2, waiting: 125, why: "answered 503" },
    { attempt: 3, waiting: 250, why: "answered 503" },
  ]);
  expect(client.report()).toMatchObject({ calls: 1, retries: 2, refusals: 2 });
});

test("refuses to be made for a server whose address cannot be used", async () => {
  await expect(startPair(() => undefined, { server: "http://tenant.example" })).rejects.toThrow(
    "the server's address cannot be used: it is plain http to another machine",
  );
});

test("tells the time by the service's clock, as the last reply named it", async () => {
  const date = "Thu, 15 Jan 2026 00:00:20 GMT";
  const { client, clock } = await startPair((_, response) => json(response, 200, { list: [] }, { date }));
  expect(client.serverTime()).toBe(clock.now());
  await client.send(READ);
  clock.advance(1_000);
  expect(client.serverTime()).toBe(Date.parse(date) + 500 + 1_000);
});

test("takes the time of the reply with the token until there is one to a call, and then no slow first one", async () => {
  let answered = 0;
  const pair = await startPair(
    ({ url }, response) => {
      const isToken = url === "/auth/v1/token";
      answered += 1;
      pair.clock.advance(isToken ? 900 : answered === 2 ? 300 : 40);
      json(response, 200, isToken ? { access_token: "t", expires_in: 600 } : { list: [] });
    },
    { credentials: { as: "client", id: "me@127.0.0.1/spc", secret: new Secret("s"), from: [] } },
  );
  const { replyTime } = pair.client.report();
  expect(replyTime).toBeNull();
  pair.client.signIn();
  await until(() => pair.client.report().replyTime === 900);
  for (let call = 0; call < 3; call += 1) await pair.client.send(READ);
  expect(pair.client.report().replyTime).toBe(40);
});
