import { generateKeyPairSync } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { makeClient } from "../../src/api/client.js";
import { credentialsFrom } from "../../src/api/credentials.js";
import { signingSecret } from "../../src/sandbox/auth/client.js";
import { startSandbox } from "../../src/sandbox/server.js";
import { fakeClock } from "../fakes/clock.js";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const ID = {
  plain: "plain@127.0.0.1/spc",
  signing: "signing@127.0.0.1/spc",
  trusted: "trusted@127.0.0.1/wfe",
};
const IDENTITY = [{ alg: "none" }, { iss: "https://issuer.example", sub: "repo:acme/access" }, ""]
  .map((part) => Buffer.from(part === "" ? "" : JSON.stringify(part)).toString("base64url"))
  .join(".");

test.each([
  ["a token", { REMIT_TOKEN: "standing" }],
  ["a plain secret", { REMIT_CLIENT_ID: ID.plain, REMIT_CLIENT_SECRET: "plain" }],
  [
    "a signed assertion",
    { REMIT_CLIENT_ID: ID.signing, REMIT_CLIENT_SECRET: signingSecret(privateKey.export({ format: "jwk" })) },
  ],
  ["another's word", { REMIT_CLIENT_ID: ID.trusted, REMIT_OIDC_TOKEN: IDENTITY }],
])("the service lets in who shows %s", async (_, env) => {
  const now = Date.UTC(2026, 0, 1);
  const sandbox = await startSandbox({
    clock: fakeClock(now),
    auth: {
      token: "standing",
      clients: [
        { id: ID.plain, secret: "plain" },
        { id: ID.signing, publicKey: publicKey.export({ format: "jwk" }) },
        { id: ID.trusted, trusts: { issuer: "https://issuer.example", subject: "repo:acme/*" } },
      ],
    },
  });
  const { value: credentials, diagnostics } = credentialsFrom(env, sandbox.url);
  const client = makeClient({
    server: sandbox.url,
    credentials,
    clock: fakeClock(now),
    random: () => 0.5,
    width: 1,
    retries: 0,
    requestTimeout: 5_000,
    userAgent: "remit/test",
    env: {},
  });
  onTestFinished(async () => {
    client.close();
    await sandbox.close();
  });
  expect(diagnostics).toEqual([]);
  const call = { method: "GET", path: ["api", "v1", "apps"], effect: "read", expects: ["list"] } as const;
  expect(await client.send(call)).toMatchObject({ status: 200, attempts: 1 });
});
