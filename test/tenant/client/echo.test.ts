import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { proxiesFrom } from "../../../src/cli/credentials/give.js";
import { credentialsFrom } from "../../../src/cli/credentials/service.js";
import { rejection, startPair } from "../../fakes/client.js";
import { everythingOf, PLACES, readable, repeated } from "../../fakes/echo.js";
import { type FakeServer, json, type Script } from "../../fakes/server.js";

const KEY = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
const SIGNING = `secret-token:conductorone.com:v1:${Buffer.from(JSON.stringify(KEY)).toString("base64url")}`;
const ID = "fox@127.0.0.1/spc";
const READ = {
  operation: "Test",
  method: "GET",
  path: ["api", "v1", "x"],
  effect: "read",
  expects: ["list"],
} as const;

const ENVIRONMENTS: readonly (readonly [string, Record<string, string>])[] = [
  ["a token", { REMIT_TOKEN: "given/token+of=mine" }],
  ["a client's secret", { REMIT_CLIENT_ID: ID, REMIT_CLIENT_SECRET: 'plain & "s3cret"/ +%20' }],
  ["a client's key", { REMIT_CLIENT_ID: ID, REMIT_CLIENT_SECRET: SIGNING }],
  ["an identity", { REMIT_CLIENT_ID: ID, REMIT_OIDC_TOKEN: "head.of-an.identity" }],
];

/** The secrets that the client sent, as a different implementation of the service finds them. */
function secretsSent({ seen }: FakeServer): readonly string[] {
  return seen.flatMap(({ headers, body }) => {
    const form = new URLSearchParams(body);
    const fields = ["client_secret", "client_assertion", "subject_token"].map((name) => form.get(name));
    const bearer = headers.authorization?.replace("Bearer ", "");
    return [bearer, ...fields].filter((text): text is string => typeof text === "string");
  });
}

function expectUnread(faces: string, secrets: readonly string[]): void {
  expect(faces).toContain("(secret)");
  expect(secrets.length).toBeGreaterThan(0);
  expect(readable(faces, [...new Set(secrets)])).toEqual([]);
}

type Place = (typeof PLACES)[keyof typeof PLACES];

const issue: Script = (_, response) =>
  json(response, 200, { access_token: "issued-t0ken-of-an-hour", expires_in: 600 });

describe.each(ENVIRONMENTS)("who repeats all that came with %s", (_, env) => {
  const { value: credentials } = credentialsFrom(env, "http://127.0.0.1");

  /** Everything that one call shows to a reader, and the secrets that it sent. */
  async function callTo(place: Place, isEcho: (url: string) => boolean) {
    const { client, server, log } = await startPair(
      (seen, response, socket) =>
        isEcho(seen.url) ? place(repeated(server.seen), response) : issue(seen, response, socket),
      { credentials, retries: 1 },
    );
    const told: unknown[] = [];
    const error = await rejection(client.send(READ, { retried: (retry) => told.push(retry) }));
    const faces = [String(error), JSON.stringify({ error, told }), ...log].join("\n");
    return { faces, secrets: secretsSent(server) };
  }

  test.each(Object.entries(PLACES))("in %s shows no secret", async (_place, place) => {
    const { faces, secrets } = await callTo(place, (url) => url !== "/auth/v1/token");
    expectUnread(faces, secrets);
  });

  test.skipIf("REMIT_TOKEN" in env).each(Object.entries(PLACES))(
    "in %s of the token's endpoint shows no secret",
    async (_place, place) => {
      const { faces, secrets } = await callTo(place, (url) => url === "/auth/v1/token");
      expect(faces).toMatch(/the service refused the credentials|remit got no token/);
      expectUnread(faces, secrets);
    },
  );
});

test("a good reply's request id shows no secret, and its fields stay as they are", async () => {
  const { client, log } = await startPair((seen, response) =>
    json(response, 200, { list: [seen.headers.authorization] }, { "c1-trace-id": everythingOf(seen) }),
  );
  const reply = await client.send(READ);
  expect(reply.body).toEqual({ list: ["Bearer s3cr3t-t0ken"] });
  expect(reply.requestId?.()).toContain('"authorization":"Bearer (secret)"');
  expect(log.join()).toContain('"authorization":"Bearer (secret)"');
});

test("a number for a code shows no secret", async () => {
  const { client } = await startPair(
    (seen, response) =>
      json(response, 400, {
        code: Number(seen.headers.authorization?.replace("Bearer ", "")),
        message: "no",
      }),
    { credentials: credentialsFrom({ REMIT_TOKEN: "8237465091827" }, "http://127.0.0.1").value },
  );
  const error = await rejection(client.send(READ));
  expect(error).toMatchObject({ code: null, own: true, words: "no" });
  expect(JSON.stringify(error)).not.toContain("8237465091827");
});

test("the tokens sent to GitHub and received from it are never shown", async () => {
  const github = await startPair((_, response) => json(response, 200, { value: "shown.by-git.hub" }));
  const asked = {
    REMIT_CLIENT_ID: ID,
    ACTIONS_ID_TOKEN_REQUEST_URL: `${github.server.url}/identity`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "asking-with-this",
  };
  const { client, server, log } = await startPair(
    (_, response) =>
      PLACES["the words of OAuth"](repeated(server.seen) + repeated(github.server.seen), response),
    { credentials: credentialsFrom(asked, "http://127.0.0.1").value },
  );
  const error = await rejection(client.send(READ));
  const secrets = [...secretsSent(server), ...secretsSent(github.server)];
  expect(secrets).toEqual(["shown.by-git.hub", "asking-with-this"]);
  expectUnread([String(error), JSON.stringify(error), ...log].join("\n"), secrets);
});

test("a proxy that repeats the request for its tunnel does not show its password", async () => {
  const password = "p@ss/word of proxies";
  const proxy = createServer();
  proxy.on("connect", ({ headers }: { headers: IncomingHttpHeaders }, socket: Socket) => {
    socket.on("error", () => undefined);
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    const basic = String(headers["proxy-authorization"]);
    const plain = Buffer.from(basic.replace("Basic ", ""), "base64").toString();
    const words = JSON.stringify({ code: 7, message: `${basic} is ${plain}, ${encodeURIComponent(plain)}` });
    socket.once("data", () =>
      socket.end(
        `HTTP/1.1 403 No\r\ncontent-type: application/json\r\nc1-trace-id: ${basic}\r\ncontent-length: ${words.length}\r\n\r\n${words}`,
      ),
    );
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const { client, log } = await startPair(() => undefined, {
    server: "http://tenant.example",
    plain: true,
    proxies: proxiesFrom({ HTTP_PROXY: `http://fox:${encodeURIComponent(password)}@127.0.0.1:${port}` }),
  });
  const error = await rejection(client.send(READ));
  expect(error).toMatchObject({ status: 403, words: "Basic (secret) is (secret), (secret)" });
  expectUnread([String(error), JSON.stringify(error), ...log].join("\n"), [password, `fox:${password}`]);
});
