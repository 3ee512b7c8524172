import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { proxiesFrom } from "../../../src/cli/credentials/give.js";
import { credentialsFrom } from "../../../src/cli/credentials/service.js";
import { rejection, startPair } from "../../fakes/client.js";
import { json, type Script } from "../../fakes/server.js";
import { shown } from "../../fakes/shown.js";

const SECRET = "hunter2-hunter2";
const ISSUED = "issued-hunter3";
const CREATE = {
  operation: "Test",
  method: "POST",
  path: ["api", "v1", "x"],
  body: { text: "hunter4" },
  effect: "once",
} as const;

/** A signing key whose bytes, as written in the secret, differ from everything else. */
const KEY = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
const SIGNING = `secret-token:conductorone.com:v1:${btoa(JSON.stringify(KEY)).replace(/=+$/, "")}`;
const HIDDEN = new RegExp(`hunter|authorization|secret-token:|${KEY.d}|${SIGNING.slice(-20)}|eyJ`, "i");

const ENVIRONMENTS: readonly (readonly [string, Record<string, string>])[] = [
  ["a token", { REMIT_TOKEN: SECRET }],
  ["a client's secret", { REMIT_CLIENT_ID: "fox@tenant/spc", REMIT_CLIENT_SECRET: SECRET }],
  ["a client's key", { REMIT_CLIENT_ID: "fox@tenant/spc", REMIT_CLIENT_SECRET: SIGNING }],
  ["an identity", { REMIT_CLIENT_ID: "fox@tenant/spc", REMIT_OIDC_TOKEN: SECRET }],
];

const issue: Script = (seen, response) => {
  if (seen.url === "/auth/v1/token") json(response, 200, { access_token: ISSUED, expires_in: 600 });
};
const FAULTS: readonly (readonly [string, Script])[] = [
  ["an error reply", (_, response) => json(response, 400, { code: 3, message: "no" })],
  ["a lost reply", (_seen, _response, socket) => socket.destroy()],
  ["a web page", (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>")],
  ["no reply in time", () => undefined],
];

describe.each(ENVIRONMENTS)("%s", (_, env) => {
  const { value: credentials } = credentialsFrom(env, "http://127.0.0.1");

  test("cannot be seen in the credentials", () => {
    expect(shown(credentials)).not.toMatch(HIDDEN);
    expect(shown(credentials)).toContain(Object.keys(env).at(-1));
  });

  test.each(FAULTS)("cannot be seen in an error from %s, nor in what is logged", async (_fault, fault) => {
    const { client, server, log } = await startPair(
      (seen, response, socket) =>
        seen.url === "/auth/v1/token" ? issue(seen, response, socket) : fault(seen, response, socket),
      { credentials, requestTimeout: 300, retries: 1 },
    );
    const error = await rejection(client.send(CREATE));
    expect(server.seen.at(-1)?.headers.authorization).toMatch(/^Bearer .*hunter/);
    expect(shown(error)).not.toMatch(HIDDEN);
    expect(log.join("\n")).toContain("POST /api/v1/x");
    expect(log.some((line) => line.startsWith("POST /auth/v1/token: 200"))).toBe(!("REMIT_TOKEN" in env));
    expect(log.join("\n")).not.toMatch(HIDDEN);
    expect(shown(client)).not.toMatch(HIDDEN);
  });

  test("cannot be seen in an error of the token endpoint", async () => {
    const { client } = await startPair((_seen, response) => json(response, 400, { error: "invalid_grant" }), {
      credentials,
    });
    expect(shown(await rejection(client.send(CREATE)))).not.toMatch(HIDDEN);
  });
});

test("a proxy's password cannot be seen in an error, nor in what is logged", async () => {
  const { client, log } = await startPair(() => undefined, {
    server: "http://tenant.example",
    plain: true,
    retries: 0,
    proxies: proxiesFrom({ HTTP_PROXY: "http://fox:hunter2@127.0.0.1:1" }),
  });
  expect(shown(await rejection(client.send(CREATE)))).not.toMatch(HIDDEN);
  expect(log).toHaveLength(1);
  expect(log.join("\n")).not.toMatch(HIDDEN);
});
