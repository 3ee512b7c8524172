import { afterEach, expect, test } from "vitest";
import { makeClient } from "../../src/api/client.js";
import { Secret } from "../../src/model/secret.js";
import { fakeClock } from "../fakes/clock.js";
import { json, type Script, startServer } from "../fakes/server.js";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function clientFor(script: Script) {
  const server = await startServer(script);
  const client = makeClient({
    server: server.url,
    credentials: { as: "bearer", token: new Secret("t0ken"), from: ["REMIT_TOKEN"] },
    clock: fakeClock(),
    random: () => 0.5,
    width: 10,
    retries: 4,
    requestTimeout: 5_000,
    userAgent: "remit/test",
    env: {},
  });
  closers.push(client.close, server.close);
  return { client, server };
}

test("sends a call with its token, body and encoded path, and gives the reply", async () => {
  const { client, server } = await clientFor((_, response) =>
    json(response, 200, { automation: {} }, { "c1-trace-id": "trace-1" }),
  );
  const reply = await client.send({
    method: "POST",
    path: ["api", "v1", "apps", "a/b c"],
    query: { page_size: "100" },
    body: { name: "ü" },
    effect: "once",
    expects: ["automation"],
  });
  expect(reply).toEqual({ status: 200, body: { automation: {} }, requestId: "trace-1", attempts: 1 });
  expect(server.seen).toMatchObject([
    {
      method: "POST",
      url: "/api/v1/apps/a%2Fb%20c?page_size=100",
      body: '{"name":"ü"}',
      headers: {
        authorization: "Bearer t0ken",
        "content-type": "application/json",
        "user-agent": "remit/test",
      },
    },
  ]);
});
